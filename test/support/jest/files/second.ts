import { leavesNothing } from './leaves-nothing.ts';

leavesNothing();
