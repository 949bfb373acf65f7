{{- define "kuraka.selector" -}}
app.kubernetes.io/name: kuraka
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kuraka.labels" -}}
{{ include "kuraka.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The pods of servers and builder: a dictionary of root, component, env (a list), volume (whether it has one). */}}
{{- define "kuraka.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "kuraka.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    checksum/settings: {{ $values.settings | sha256sum }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # http.stop_delay plus 35 s.
  terminationGracePeriodSeconds: 45
  {{- with $values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  containers:
    - name: kuraka
      image: "{{ required "set image.registry to the registry that has the image" $values.image.registry }}/{{ $values.image.repository }}:{{ $values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ $values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      env: {{ toYaml (concat .env $values.env) | nindent 8 }}
      ports:
        - {name: http, containerPort: 8080}
        - {name: admin, containerPort: 9464}
      # Also a server that waits for PostgreSQL is alive.
      startupProbe:
        exec: {command: [kuraka, healthcheck]}
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 150
      livenessProbe:
        exec: {command: [kuraka, healthcheck]}
        periodSeconds: 10
        timeoutSeconds: 5
      readinessProbe:
        exec: {command: [kuraka, healthcheck, --ready]}
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 1
      resources: {{ toYaml $values.resources | nindent 8 }}
      volumeMounts:
        - {name: data, mountPath: /var/lib/kuraka}
        - {name: settings, mountPath: /etc/kuraka, readOnly: true}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: settings
      configMap: {name: {{ .root.Release.Name }}-settings}
    {{- if not .volume }}
    - name: data
      emptyDir: {}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "kuraka.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
  {{- with $values.nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "kuraka.claim" -}}
volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      accessModes: [ReadWriteOnce]
      {{- with .Values.persistence.storageClass }}
      storageClassName: {{ . }}
      {{- end }}
      resources: {requests: {storage: {{ .Values.persistence.size }}}}
{{- end }}
