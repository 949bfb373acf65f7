// What is sent and answered. clients/records.py writes this file from the OpenAPI document.

/** The version of this package. */
export const VERSION = "0.1.0";

/** Una actividad económica. */
export interface ActivityRecord {
  /** Código CIIU. */
  ciiu: string;
  /** Descripción. */
  descripcion: string;
  /** PRINCIPAL o SECUNDARIA. */
  tipo: string;
}

/** Cuántos locales anexos. */
export interface AnnexCountRecord {
  /** El total. */
  total: number;
}

/** Un local anexo. Lo que el archivo no dice es un texto vacío. */
export interface AnnexRecord {
  /** Actividad económica; no se publica. */
  actividad_economica: string;
  /** Código del establecimiento; no se publica. */
  codigo: string;
  /** Departamento. */
  departamento: string;
  /** Dirección en una línea. */
  direccion: string;
  /** Dirección con distrito, provincia y departamento. */
  direccion_completa: string;
  /** Distrito. */
  distrito: string;
  /** Provincia. */
  provincia: string;
  /** Tipo de establecimiento; no se publica. */
  tipo_de_establecimiento: string;
  /** Código de distrito del INEI. */
  ubigeo: string;
}

/** Los locales anexos de un contribuyente, en el orden del archivo. */
export type AnnexesRecord = AnnexRecord[];

/** Un cambio. */
export interface ChangeRecord {
  /** El valor anterior. */
  antes: string;
  /** Qué cambió: existe, un campo, el nombre de un padrón, sin_capacidad_operativa o sancion. */
  dato: string;
  /** El valor nuevo. */
  despues: string;
  /** Esa edición. */
  edicion: string;
  /** La fecha de la primera edición con el valor nuevo. */
  fecha: string;
}

/** Uno de estos textos. */
export type ChangedDatumName = "existe" | "nombre_o_razon_social" | "estado" | "condicion" | "direccion" | "departamento" | "provincia" | "distrito" | "retencion" | "buenos_contribuyentes" | "percepcion_venta_interna" | "percepcion_combustibles" | "sin_capacidad_operativa" | "sancion";

/** Lo que se envía para leer cambios. */
export interface ChangesRequest {
  /** Solo los cambios de estos datos. */
  datos?: ChangedDatumName[] | null;
  /** El cursor de la página anterior, o una fecha, que se incluye; sin él, solo lo que venga después. */
  desde?: string | null;
  /** Cuántos cambios trae la página como máximo; 100 si falta. */
  limite?: number | null;
  /** true: los cambios de todas las empresas (RUC 20), con cualquier plan. */
  todos?: boolean | null;
}

/** Un RUC con el código que le da la cuenta. */
export interface CodedRucRequest {
  /** RUC de 11 dígitos. */
  ruc: string;
  /** El código propio, como el número de proveedor; 40 caracteres como máximo. */
  codigo?: string | null;
}

/** Primer y último día. */
export interface CoveredPeriod {
  desde: string;
  hasta: string;
}

/** El contribuyente en una fecha: con existe true, todos los campos; con false, solo los tres primeros. */
export interface DayRecord {
  /** La edición del padrón que la cubre. */
  edicion: string;
  /** Si está en esa edición. */
  existe: boolean;
  /** La fecha. */
  fecha: string;
  /** Condición del domicilio, como HABIDO o NO HALLADO. */
  condicion?: string;
  /** Departamento; vacío si no hay dirección. */
  departamento?: string;
  /** Dirección en una línea; vacía para personas naturales. */
  direccion?: string;
  /** SI o NO; null si no se sabe. */
  es_agente_de_retencion?: string | null;
  /** SI o NO; null si no se sabe. */
  es_buen_contribuyente?: string | null;
  /** Estado, como ACTIVO o BAJA DE OFICIO. */
  estado?: string;
  /** Nombre o razón social. */
  nombre_o_razon_social?: string;
  /** Los padrones en los que estaba. */
  padrones?: string[];
  /** RUC de 11 dígitos. */
  ruc?: string;
  /** Si estaba declarado sin capacidad operativa; null si no se sabe. */
  sin_capacidad_operativa?: boolean | null;
}

/** Datos completos de un contribuyente. */
export interface DetailRecord {
  /** Actividad de comercio exterior. */
  actividad_comercio_exterior: string;
  /** Descripciones de las actividades económicas. */
  actividades_economicas: string[];
  /** Las mismas actividades con su código. */
  actividades_economicas_detalle: ActivityRecord[];
  /** Comprobantes autorizados. */
  comprobantes_autorizados: string[];
  /** Condición del domicilio. */
  condicion: string;
  /** Dirección con distrito, provincia y departamento; vacía para personas naturales. */
  direccion_completa: string;
  /** Emisión electrónica. */
  emision_electronica: ElectronicRecord;
  /** Estado. */
  estado: string;
  /** Fecha de baja. */
  fecha_baja: string | null;
  /** Fecha de inicio de actividades. */
  fecha_inicio_actividades: string | null;
  /** Fecha de inscripción. */
  fecha_inscripcion: string | null;
  /** Nombre comercial. */
  nombre_comercial: string;
  /** Nombre o razón social. */
  nombre_o_razon_social: string;
  /** Padrones a los que pertenece. */
  padrones: string[];
  /** RUC de 11 dígitos. */
  ruc: string;
  /** Sistema de contabilidad. */
  sistema_contabilidad: string;
  /** Sistema de emisión. */
  sistema_emision: string;
  /** Tipo de contribuyente. */
  tipo_contribuyente: string;
}

/** Un distrito. */
export interface DistrictRecord {
  /** Departamento. */
  departamento: string;
  /** Distrito. */
  distrito: string;
  /** Provincia. */
  provincia: string;
  /** Código de distrito del INEI. */
  ubigeo: string;
}

/** Los distritos, por código. */
export type DistrictsRecord = DistrictRecord[];

/** Lo que se sabe de la emisión electrónica. */
export interface ElectronicRecord {
  /** Afiliado al PLE desde. */
  afiliado_ple_desde: string | null;
  /** Comprobantes electrónicos. */
  comprobantes: string[];
  /** Emisor electrónico desde. */
  desde: string | null;
  /** Sistemas de emisión electrónica. */
  sistemas: string[];
}

/** Por qué no hay respuesta. */
export type ErrorCode = "invalid_input" | "date_not_covered" | "cursor_expired" | "unauthenticated" | "forbidden" | "watch_limit_exceeded" | "document_not_found" | "route_not_found" | "method_not_allowed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "quota_exceeded" | "upstream_unavailable" | "service_unavailable" | "internal_error";

/** El tipo de cambio de un día. */
export interface ExchangeRateRecord {
  /** Soles por dólar a la compra, con tres decimales. */
  compra: number;
  /** El día que se consultó. */
  fecha_busqueda: string;
  /** El día del cierre de la SBS; null mientras no se conozca. */
  fecha_cierre: string | null;
  /** El día para el que la SUNAT lo publica. */
  fecha_sunat: string;
  /** Quién lo dice: SUNAT, por su texto de ese día, o BCRP, por el cierre que publica. */
  fuente: string;
  /** USD. */
  moneda: string;
  /** Soles por dólar a la venta, con tres decimales. */
  venta: number;
  /** La fecha_busqueda, con el nombre que esperan clientes de otros servicios. */
  date?: string | null;
  /** La compra, igualmente. */
  purchase?: number | null;
  /** La venta, igualmente. */
  sale?: number | null;
}

/** Un cambio de un RUC. */
export interface FeedChangeRecord {
  /** El valor anterior. */
  antes: string;
  /** El código propio; null si no tiene. */
  codigo: string | null;
  /** Qué cambió, como en /ruc-historial. */
  dato: string;
  /** El valor nuevo. */
  despues: string;
  /** La edición que pasó a ser la actual. */
  edicion: string;
  /** La fecha de la edición. */
  fecha: string;
  /** RUC de 11 dígitos. */
  ruc: string;
}

/** Una página de cambios. */
export interface FeedRecord {
  /** Si no queda nada más por ahora; si es false y siguiente repite desde, llame más tarde. */
  al_dia: boolean;
  /** Por publicación, del más antiguo al más nuevo; dentro de ella por RUC. */
  cambios: FeedChangeRecord[];
  /** El cursor para la siguiente llamada. */
  siguiente: string;
}

/** El domicilio fiscal. Para personas naturales, todo menos el RUC es un texto vacío. */
export interface FiscalAddressRecord {
  /** Departamento. */
  departamento: string;
  /** Dirección en una línea. */
  direccion: string;
  /** Dirección con distrito, provincia y departamento. */
  direccion_completa: string;
  /** Distrito. */
  distrito: string;
  /** Provincia. */
  provincia: string;
  /** RUC de 11 dígitos. */
  ruc: string;
  /** Código de distrito del INEI. */
  ubigeo: string;
}

/** Días que el registro de un conjunto de datos no cubre. */
export interface GapRecord {
  /** El conjunto de datos. */
  dataset: string;
  /** El primer día. */
  desde: string;
  /** El último día. */
  hasta: string;
  /** Por qué: sin ediciones, o sin registro de cambios. */
  motivo: string;
}

/** Lo que el registro de cambios tiene de un contribuyente. */
export interface HistoryRecord {
  /** Los cambios, de la edición más nueva a la más antigua; 200 como máximo. */
  cambios: ChangeRecord[];
  /** El primer día que cubre el registro del padrón. */
  desde: string;
  /** El contribuyente en la fecha; null sin fecha. */
  en_fecha: DayRecord | null;
  /** El último. */
  hasta: string;
  /** Si hay más cambios que los que están aquí. */
  mas_cambios: boolean;
  /** Los días entre ambas que el registro de un conjunto de datos no cubre. */
  periodos_sin_registro: GapRecord[];
  /** Lo que los datos abiertos dijeron de una empresa cada mes; null si no se leyó ningún mes. */
  por_mes: MonthsRecord | null;
  /** RUC de 11 dígitos. */
  ruc: string;
  /** Desde cuándo vale sin interrupción lo de hoy, hasta donde llega el registro; null si hoy no está en el padrón. */
  vigente_desde: ValidSinceRecord | null;
}

/** La resolución que declara a un contribuyente sin capacidad operativa. */
export interface IncapacityRecord {
  /** Día de la resolución. */
  fecha_resolucion: string | null;
  /** Día desde el que está firme. */
  firme_desde: string | null;
  /** Número de la resolución. */
  resolucion: string;
}

/** Un elemento que no es válido. */
export interface InvalidRucRecord {
  /** Por qué no es válido. */
  message: string;
  /** Lo enviado. */
  ruc: string;
}

/** Un padrón en el que está el contribuyente. */
export interface ListRecord {
  /** Nombre del conjunto de datos. */
  codigo: string;
  /** Primer día. */
  desde: string | null;
  /** Nombre del padrón. */
  nombre: string;
  /** La resolución; vacía si no se publica. */
  resolucion: string;
}

/** Elementos por lista. */
export interface ListsRecord {
  /** En /cpe-multiple. */
  comprobantes: number;
  /** En /ruc-multiple. */
  rucs: number;
}

/** Estado y condición publicados para un mes; null si la empresa no está en el archivo del mes. */
export interface MonthRecord {
  /** Condición. */
  condicion: string | null;
  /** Estado. */
  estado: string | null;
  /** El mes, AAAA-MM. */
  periodo: string;
}

/** Lo que los datos abiertos dijeron de una empresa cada mes. */
export interface MonthsRecord {
  /** El primer mes y cada mes que difiere del mes conocido anterior, del más nuevo al más antiguo. */
  cambios: MonthRecord[];
  /** El primer mes leído, AAAA-MM. */
  desde: string;
  /** El último mes leído. */
  hasta: string;
  /** Los meses entre ambos que no se publicaron o no se leyeron. */
  meses_que_faltan: string[];
}

/** Lo que dicen los datos abiertos. */
export interface OpenDataRecord {
  /** Actividad de comercio exterior. */
  actividad_comercio_exterior: string;
  /** Descripciones de las actividades económicas, la principal primero. */
  actividades_economicas: string[];
  /** Mes de publicación, AAAA-MM. */
  periodo: string;
  /** Sistema de contabilidad. */
  sistema_contabilidad: string;
  /** Sistema de emisión. */
  sistema_emision: string;
  /** Tipo de contribuyente, en mayúsculas y sin tildes. */
  tipo_contribuyente: string;
  /** Número de trabajadores. */
  trabajadores: number | null;
}

/** Si un contribuyente fue declarado sin capacidad operativa. */
export interface OperatingCapacityRecord {
  /** RUC de 11 dígitos. */
  ruc: string;
  /** La resolución; null si no hay ninguna. */
  sin_capacidad_operativa: IncapacityRecord | null;
}

/** Primer y último día. */
export interface PeriodRecord {
  /** Primer día del mes. */
  desde: string;
  /** Último día del mes. */
  hasta: string;
}

/** Todo lo que los archivos publicados dicen de un contribuyente. */
export interface ProfileRecord {
  /** Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos. */
  anexos: AnnexCountRecord | null;
  /** Condición del domicilio, como HABIDO o NO HALLADO. */
  condicion: string;
  /** Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen. */
  datos_abiertos: OpenDataRecord | null;
  /** Departamento; vacío si no hay dirección. */
  departamento: string;
  /** Dirección en una línea; vacía para personas naturales. */
  direccion: string;
  /** Dirección con distrito, provincia y departamento; vacía para personas naturales. */
  direccion_completa: string;
  /** Distrito; vacío si no se conoce. */
  distrito: string;
  /** SI o NO; vacío si no se usa esa lista. */
  es_agente_de_retencion: string;
  /** SI o NO; vacío si no se usa esa lista. */
  es_buen_contribuyente: string;
  /** Estado, como ACTIVO o BAJA DE OFICIO. */
  estado: string;
  /** Los archivos que respondieron. */
  fuentes: SourceFileRecord[];
  /** Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe". */
  no_disponibles: string[];
  /** Nombre o razón social. */
  nombre_o_razon_social: string;
  /** Padrones en los que está; null si ninguno está disponible. */
  padrones: ListRecord[] | null;
  /** Provincia; vacía si no se conoce. */
  provincia: string;
  /** RUC de 11 dígitos. */
  ruc: string;
  /** Sanciones para contratar con el Estado. */
  sanciones: SanctionRecord[] | null;
  /** La resolución que lo declaró sin capacidad operativa; null si no hay ninguna. */
  sin_capacidad_operativa: IncapacityRecord | null;
  /** Código de distrito del INEI; vacío si no se conoce. */
  ubigeo: string;
}

/** Límite, usadas y restantes. */
export interface QueriesRecord {
  /** Las que el plan incluye. */
  limite: number;
  /** Las que quedan. */
  restantes: number;
  /** Las ya descontadas. */
  usadas: number;
}

/** Las respuestas a una lista de RUC. */
export interface RucBatchRecord {
  /** La edición del padrón que respondió. */
  edicion: string;
  /** Cuántos se encontraron. */
  encontrados: number;
  /** Una respuesta por elemento, en el orden de la lista. */
  resultados: RucItemRecord[];
  /** Cuántos elementos tiene la lista. */
  total: number;
  /** Los archivos que respondieron; solo con ficha. */
  fuentes?: SourceFileRecord[];
  /** Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe". Solo con ficha. */
  no_disponibles?: string[];
}

/** Un RUC, o un RUC en una fecha. */
export type RucItem = string | RucOnDay;

/** La respuesta a un RUC de una lista: data si su código es found; si no, message. */
export interface RucItemRecord {
  /** found, document_not_found, invalid_input, date_not_covered o upstream_unavailable. */
  code: string;
  /** Si repetir este RUC más tarde puede dar otra respuesta. */
  retryable: boolean;
  /** El RUC, como fue enviado. */
  ruc: string;
  /** El contribuyente; de un elemento con fecha, el en_fecha de /ruc-historial. */
  data?: TaxpayerData;
  /** La fecha, como fue enviada, si el elemento la tiene. */
  fecha?: string;
  /** Qué pasó, para personas. */
  message?: string;
  /** Con retryable: cuántos segundos esperar. */
  retry_after?: number;
}

/** Un RUC en una fecha. */
export interface RucOnDay {
  /** El día. */
  fecha: string;
  /** RUC de 11 dígitos. */
  ruc: string;
}

/** Una sanción para contratar con el Estado. */
export interface SanctionRecord {
  /** Primer día. */
  desde: string;
  /** Último día; null si es definitiva. */
  hasta: string | null;
  /** El motivo, como se publica. */
  motivo: string;
  /** DEFINITIVA o TEMPORAL. */
  tipo: string;
}

/** palabras, si falta: cada una comienza una palabra del nombre, en cualquier orden. comienzo: el nombre comienza así. contiene: cada una, de 3 caracteres o más, está dentro de una palabra del nombre. */
export type SearchModeName = "palabras" | "comienzo" | "contiene";

/** Una página de empresas. */
export interface SearchRecord {
  /** La edición del padrón. */
  edicion: string;
  /** Las empresas, en orden. */
  resultados: SummaryRecord[];
  /** El cursor de la página que sigue; null si no hay más. */
  siguiente: string | null;
}

/** Lo que se envía para buscar por nombre. */
export interface SearchRequest {
  /** De 2 a 100 caracteres y 10 palabras como máximo. Una letra sola no basta. */
  nombre: string;
  /** Solo empresas con esta condición del domicilio. */
  condicion?: string | null;
  /** El valor de siguiente de la página anterior, con el mismo nombre, modo y filtros. */
  cursor?: string | null;
  /** Solo empresas de este departamento. */
  departamento?: string | null;
  /** Solo empresas con este estado. */
  estado?: string | null;
  /** Empresas por página; 20 si falta. */
  limite?: number | null;
  /** Cómo se comparan las palabras con las del nombre. */
  modo?: SearchModeName | null;
}

/** Un archivo publicado, y de cuándo es. */
export interface SourceFileRecord {
  /** La edición. */
  edicion: string;
  /** El día de su publicación. */
  fecha: string;
  /** Nombre del conjunto de datos. */
  nombre: string;
}

/** Datos resumidos de un contribuyente, según el padrón reducido. */
export interface SummaryRecord {
  /** Condición del domicilio, como HABIDO o NO HALLADO. */
  condicion: string;
  /** Departamento; vacío si no hay dirección. */
  departamento: string;
  /** Dirección en una línea; vacía para personas naturales. */
  direccion: string;
  /** SI o NO; vacío si no se usa esa lista. */
  es_agente_de_retencion: string;
  /** SI o NO; vacío si no se usa esa lista. */
  es_buen_contribuyente: string;
  /** Estado, como ACTIVO o BAJA DE OFICIO. */
  estado: string;
  /** Nombre o razón social. */
  nombre_o_razon_social: string;
  /** RUC de 11 dígitos. */
  ruc: string;
}

/** Un contribuyente: los ocho campos de /ruc, y con ficha los demás; de un elemento con fecha, los de en_fecha de /ruc-historial. */
export interface TaxpayerData {
  /** Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos. */
  anexos?: AnnexCountRecord | null;
  /** Condición del domicilio, como HABIDO o NO HALLADO. */
  condicion?: string;
  /** Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen. */
  datos_abiertos?: OpenDataRecord | null;
  /** Departamento; vacío si no hay dirección. */
  departamento?: string;
  /** Dirección en una línea; vacía para personas naturales. */
  direccion?: string;
  /** Dirección con distrito, provincia y departamento; vacía para personas naturales. */
  direccion_completa?: string;
  /** Distrito; vacío si no se conoce. */
  distrito?: string;
  /** De un elemento con fecha: la edición que la cubre. */
  edicion?: string;
  /** SI o NO; vacío o null si no se sabe. */
  es_agente_de_retencion?: string | null;
  /** SI o NO; vacío o null si no se sabe. */
  es_buen_contribuyente?: string | null;
  /** Estado, como ACTIVO o BAJA DE OFICIO. */
  estado?: string;
  /** De un elemento con fecha: si estaba en esa edición. */
  existe?: boolean;
  /** De un elemento con fecha: la fecha. */
  fecha?: string;
  /** Nombre o razón social. */
  nombre_o_razon_social?: string;
  /** Con ficha, los de /ruc-ficha; de un elemento con fecha, los de en_fecha de /ruc-historial. */
  padrones?: unknown[] | null;
  /** Provincia; vacía si no se conoce. */
  provincia?: string;
  /** RUC de 11 dígitos. */
  ruc?: string;
  /** Sanciones para contratar con el Estado. */
  sanciones?: SanctionRecord[] | null;
  /** Con ficha, la de /ruc-ficha; de un elemento con fecha, la de en_fecha de /ruc-historial. */
  sin_capacidad_operativa?: unknown;
  /** Código de distrito del INEI; vacío si no se conoce. */
  ubigeo?: string;
}

/** Consumo del plan en el mes. */
export interface UsageRecord {
  /** Consultas del mes. */
  consultas: QueriesRecord;
  /** Consultas por segundo que el plan sostiene. */
  limite_por_segundo: number;
  /** Elementos por lista. */
  listas: ListsRecord;
  /** El mes, en hora del Perú. */
  periodo: PeriodRecord;
  /** Nombre del plan. */
  plan: string;
  /** RUC que la cuenta puede seguir. */
  seguimiento: number;
}

/** Desde cuándo valen el estado y la condición de hoy. */
export interface ValidSinceRecord {
  /** La condición. */
  condicion: string;
  /** El estado. */
  estado: string;
}

/** Las respuestas a una lista de comprobantes. */
export interface VoucherBatchRecord {
  /** Cuántos tienen respuesta de la SUNAT. */
  encontrados: number;
  /** Una respuesta por elemento, en el orden de la lista. */
  resultados: VoucherItemRecord[];
  /** Cuántos elementos tiene la lista. */
  total: number;
}

/** Lo que se envía para validar un comprobante. */
export interface VoucherInBatch {
  /** 01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7. */
  codigo_tipo_documento: "01" | "03" | "04" | "07" | "08" | "R1" | "R7";
  /** AAAA-MM-DD; no posterior a hoy en el Perú. */
  fecha_de_emision: string;
  /** Número, de 1 a 8 dígitos. */
  numero_documento: string;
  /** RUC del emisor. */
  ruc_emisor: string;
  /** Serie, según el tipo de comprobante: F001 o E001 en facturas, B001 o EB01 en boletas, o solo dígitos. */
  serie_documento: string;
  /** Importe total, con 2 decimales como máximo: un número o un texto. */
  total: number | string;
}

/** La respuesta a un comprobante de una lista: sus campos como fueron enviados, o la línea que no se pudo separar; luego data si su código es found, y si no, message. */
export interface VoucherItemRecord {
  /** found, invalid_input o upstream_unavailable. */
  code: string;
  /** Si repetir este comprobante más tarde puede dar otra respuesta. */
  retryable: boolean;
  /** Tipo de comprobante. */
  codigo_tipo_documento?: string;
  /** Lo que la SUNAT dice. */
  data?: VoucherRecord;
  /** Fecha de emisión. */
  fecha_de_emision?: string;
  /** La línea que no tiene seis campos. */
  linea?: string;
  /** Qué pasó, para personas. */
  message?: string;
  /** Número. */
  numero_documento?: string;
  /** Con retryable: cuántos segundos esperar. */
  retry_after?: number;
  /** RUC del emisor. */
  ruc_emisor?: string;
  /** Serie. */
  serie_documento?: string;
  /** Importe total, en texto. */
  total?: string;
}

/** Lo que la SUNAT dice de un comprobante. */
export interface VoucherRecord {
  /** 0 no existe, 1 aceptado, 2 anulado, 3 autorizado, 4 no autorizado; otros códigos se devuelven tal cual. */
  comprobante_estado_codigo: string;
  /** El código en palabras; vacío si no está en la tabla. */
  comprobante_estado_descripcion: string;
  /** Condición del emisor; vacía si la SUNAT no la dice. */
  empresa_condicion_descripcion: string;
  /** Estado del emisor; vacío si la SUNAT no lo dice. */
  empresa_estado_descripcion: string;
  /** Número, como fue enviado. */
  numero_documento: string;
  /** Observaciones, solo informativas. */
  observaciones: string[];
  /** RUC del emisor, como fue enviado. */
  ruc_emisor: string;
  /** Serie, como fue enviada. */
  serie_documento: string;
}

/** Lo que se envía para validar un comprobante. */
export interface VoucherRequest {
  /** 01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7. */
  codigo_tipo_documento: "01" | "03" | "04" | "07" | "08" | "R1" | "R7";
  /** AAAA-MM-DD; no posterior a hoy en el Perú. */
  fecha_de_emision: string;
  /** Número, de 1 a 8 dígitos. */
  numero_documento: string;
  /** RUC del emisor. */
  ruc_emisor: string;
  /** Serie, según el tipo de comprobante: F001 o E001 en facturas, B001 o EB01 en boletas, o solo dígitos. */
  serie_documento: string;
  /** Importe total, con 2 decimales como máximo: un número o un texto. */
  total: number | string;
}

/** Lo que cambió en la lista. */
export interface WatchChangeRecord {
  /** Los que no seguía. */
  agregados: number;
  /** Elementos no válidos; los demás se procesaron. */
  no_validos: InvalidRucRecord[];
  /** Los que seguía y ya no. */
  quitados: number;
  /** Los RUC que la cuenta sigue ahora. */
  total: number;
}

/** Un RUC que se sigue. */
export type WatchItem = string | CodedRucRequest;

/** Una página de los RUC que la cuenta sigue. */
export interface WatchListRecord {
  /** Por número de RUC. */
  rucs: WatchedRecord[];
  /** El cursor de la página siguiente; null si no hay más. */
  siguiente: string | null;
  /** Los RUC de todas las páginas. */
  total: number;
}

/** Un RUC en seguimiento. */
export interface WatchedRecord {
  /** El código propio; null si no tiene. */
  codigo: string | null;
  /** RUC de 11 dígitos. */
  ruc: string;
}

/** Los cambios de una publicación. */
export interface WebhookData {
  /** Hasta 100 cambios; si hay más, vienen en los avisos siguientes. */
  cambios: FeedChangeRecord[];
  /** La edición que trajo los cambios; nulo en una prueba. */
  edicion: string | null;
}

/** Lo que se envía a la dirección de un aviso. */
export interface WebhookRecord {
  /** Lo que cambió. */
  data: WebhookData;
  /** Cuándo se hizo el aviso. */
  timestamp: string;
  /** `contribuyente.cambios`, o `prueba`, sin cambios. */
  type: string;
}
