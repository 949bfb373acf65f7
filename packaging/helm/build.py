"""Checks the Helm chart, packs it, and writes plain manifests made from it: build.py OUT VERSION

Each set of values is linted and its manifests are validated strictly against Kubernetes' schemas.
"""
import sys
from pathlib import Path

import helm_python as helm
import kubernetes_validate
import yaml

chart_folder, out, version = Path(__file__).parent / "kuraka", Path(sys.argv[1]), sys.argv[2]
PUBLIC = {"publicUrl": "https://api.example.pe", "image": {"registry": "registry.example.pe"}}
POSTGRES = PUBLIC | {"store": {"secret": "kuraka-store"}}
OUTSIDE = PUBLIC | {
    "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "api", "annotations": {"a": "b"}},
    "serviceMonitor": {"enabled": True},
    "imagePullSecrets": [{"name": "registry"}],
    "env": [{"name": "KURAKA__LOG__LEVEL", "value": "warn"}],
    "persistence": {"size": "8Gi", "storageClass": "fast"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "api", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
    "extraVolumes": [{"name": "ca", "secret": {"secretName": "ca"}}],
    "extraVolumeMounts": [{"name": "ca", "mountPath": "/etc/ca", "readOnly": True}],
}
SQLITE_KINDS = ["ConfigMap", "NetworkPolicy", "Service", "StatefulSet"]
POSTGRES_KINDS = SQLITE_KINDS + ["Deployment", "PodDisruptionBudget", "Service"]
OUTSIDE_KINDS = ["Ingress", "Service", "ServiceMonitor"]
# Kinds of Kubernetes' own; the Prometheus operator's has no schema here.
CASES = [
    (PUBLIC, SQLITE_KINDS),
    (POSTGRES, POSTGRES_KINDS),
    (OUTSIDE, SQLITE_KINDS + OUTSIDE_KINDS),
    (POSTGRES | OUTSIDE, POSTGRES_KINDS + OUTSIDE_KINDS),
]
WRONG = [{"publicUrl": "api.example.pe"}, {"replicas": 0}, {"store": {"url": "postgres://"}}, {"service": {"port": "http"}}, {"unknown": 1}]


def manifests(values):
    rendered = chart.render(values, name="kuraka", namespace="default")
    return {path: text for path, text in sorted(rendered.items()) if text.strip() and path.endswith(".yaml")}


chart = helm.Chart.load(chart_folder)
assert chart.version == version == chart.metadata["appVersion"], f"the chart has version {chart.version}, not {version}"
for values, kinds in CASES:
    found = [message for message in helm.lint(chart_folder, values)["messages"] if message["severity"] > 1]
    assert not found, found
    chart.validate_schema(values)
    objects = [made for text in manifests(values).values() for made in yaml.safe_load_all(text) if made]
    assert sorted(made["kind"] for made in objects) == sorted(kinds), [made["kind"] for made in objects]
    for made in objects:
        if made["kind"] in ["Deployment", "StatefulSet"]:
            pod = made["spec"]["template"]["spec"]
            assert pod["containers"][0]["image"] == f"registry.example.pe/kuraka:{version}", pod
            assert "startupProbe" in pod["containers"][0] and pod["topologySpreadConstraints"], pod
            extra = [volume["name"] for volume in pod["volumes"] if volume["name"] == "ca"]
            assert len(extra) == len(values.get("extraVolumes", [])), pod
        if not made["apiVersion"].startswith("monitoring."):
            kubernetes_validate.validate(made, "1.37", strict=True)
for values in WRONG:
    try:
        chart.validate_schema(values)
    except helm.HelmError:
        continue
    raise AssertionError(f"the schema accepts {values}")

for key, missing in [("publicUrl", {}), ("image.registry", {"publicUrl": PUBLIC["publicUrl"]})]:
    try:
        manifests(missing)
    except helm.HelmError as error:
        assert f"set {key}" in str(error), error
    else:
        raise AssertionError(f"the chart is installed without {key}")
rendered = [made for text in manifests(POSTGRES).values() for made in yaml.safe_load_all(text) if made]
assert "trusted_proxies" not in str(rendered), "no proxy is trusted by default"
admin = next(rule for made in rendered if made["kind"] == "NetworkPolicy" for rule in made["spec"]["ingress"] if rule["ports"] == [{"port": "admin"}])
assert [list(peer) for peer in admin["from"]] == [["podSelector"]], admin

helm.package(chart_folder, destination=out)
head = """# kuraka with PostgreSQL, from the Helm chart. The Secret kuraka-store has the key `url`. Replace registry.example.pe
# by the registry that has the image, and https://api.example.pe by the address that callers use.
"""
(out / "kubernetes.yaml").write_text(head + "\n".join(text if text.startswith("---") else f"---\n{text}" for text in manifests(POSTGRES).values()))
