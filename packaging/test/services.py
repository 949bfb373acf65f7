"""Writes the services of compose.yaml as systemd units: services.py COMPOSE BUNDLE UNITS

The image, unpacked by umoci into BUNDLE, is the root of each server. Its user, variables and command, and the settings in
compose.yaml, hold; compose-NAME.health has its health check. Each service has its own address in the network of
compose.yaml, which hosts.txt names.
"""
import json
import sys
from pathlib import Path

import yaml

compose = yaml.safe_load(Path(sys.argv[1]).read_text().replace("${POSTGRES_PASSWORD:?}", "secret"))
image = json.loads((Path(sys.argv[2]) / "config.json").read_text())["process"]
units = Path(sys.argv[3])
subnet = compose["networks"]["default"]["ipam"]["config"][0]["subnet"].removesuffix("0/24")
addresses = {name: f"{subnet}{10 + number}" for number, name in enumerate(compose["services"])}
POSTGRES = "/usr/lib/postgresql/15/bin"


def unit(name, lines):
    (units / f"compose-{name}.service").write_text("[Service]\n" + "\n".join(lines) + "\n")


def of_image(name, service):
    """The container of this image: its settings, a read-only root, a volume, no rights."""
    variables = dict(line.split("=", 1) for line in image["env"]) | service.get("environment", {})
    # The load of the test is one account's.
    variables |= {"KURAKA__PLANS__FREE__QUERIES": 10**7, "KURAKA__PLANS__FREE__RATE": 10**6, "KURAKA__PLANS__FREE__BURST": 10**6}
    for key in ["KURAKA__HTTP__BIND", "KURAKA__ADMIN__BIND"]:
        port = variables[key].rsplit(":", 1)[1]
        # One machine has one port 8080: each service takes its own address.
        variables[key] = f"{addresses[name]}:{port}"
    (units / f"compose-{name}.env").write_text("".join(f"{key}={value}\n" for key, value in variables.items()))
    (units / f"compose-{name}.health").write_text(" ".join(service["healthcheck"]["test"][1:]))
    assert service["read_only"] and service["cap_drop"] == ["ALL"], service
    user = image["user"]
    assert user["uid"] == 65532, user
    volume, mounted = service["volumes"][0].split(":")
    return [
        "RootDirectory=/srv/image", f"ExecStart={' '.join(image['args'])}", f"EnvironmentFile={units_inside}/compose-{name}.env",
        f"User={user['uid']}", f"Group={user['gid']}", f"WorkingDirectory={image['cwd']}", "MountAPIVFS=yes",
        "ReadOnlyPaths=/", f"BindPaths=/srv/{volume}:{mounted}", f"ReadWritePaths={mounted}", "CapabilityBoundingSet=",
        "NoNewPrivileges=yes", "BindReadOnlyPaths=/etc/hosts", f"TimeoutStopSec={service['stop_grace_period']}",
        f"LimitNOFILE={service['ulimits']['nofile']}", f"MemoryMax={service['mem_limit'].upper()}",
    ]


units_inside = "/etc/systemd/system"
for name, service in compose["services"].items():
    if service["image"].startswith("kuraka:"):
        unit(name, of_image(name, service))
    elif name == "postgres":
        command = " ".join(service["command"])
        unit(name, [
            "User=postgres",
            f"ExecStart={POSTGRES}/{command} -D /srv/postgres/data -c listen_addresses={addresses[name]}"
            " -c unix_socket_directories=/tmp",
        ])
    else:
        command = [part.replace("conf.d/default.conf", "conf.d/compose.conf") for part in service["command"]]
        unit(name, [f"ExecStart={' '.join(json.dumps(part).replace('%', '%%') for part in command)}"])
Path(units / "hosts.txt").write_text("".join(f"{address} {name}\n" for name, address in addresses.items()))
