"""Makes a key and a certificate for this machine, signed by itself, for a week: certificate.py KEY_FILE CERTIFICATE_FILE."""

import datetime
import ipaddress
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

key_file, certificate_file = sys.argv[1:]
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sagabox deployment proof")])
now = datetime.datetime.now(datetime.timezone.utc)
names = [
    x509.DNSName("localhost"),
    x509.DNSName("*.localhost"),
    x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
]
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(key.public_key())
    .serial_number(x509.random_serial_number())
    .not_valid_before(now - datetime.timedelta(hours=1))
    .not_valid_after(now + datetime.timedelta(days=7))
    .add_extension(x509.SubjectAlternativeName(names), critical=False)
    .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    .sign(key, hashes.SHA256())
)
with open(key_file, "wb") as file:
    file.write(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
with open(certificate_file, "wb") as file:
    file.write(certificate.public_bytes(serialization.Encoding.PEM))
