type Units = readonly [minCapacity: number, maxCapacity: number];

/** The provisioned part of a plan, at the default target utilization. */
export function provisioned([minRead, maxRead]: Units, [minWrite, maxWrite]: Units) {
  return {
    read: { minCapacity: minRead, maxCapacity: maxRead },
    write: { minCapacity: minWrite, maxCapacity: maxWrite },
    targetUtilizationPercent: 70,
  };
}
