"""What is sent and answered. clients/records.py writes this file from the OpenAPI document."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from typing import Any, Literal, Optional, TypedDict, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import KurakaConnectionError

VERSION = "0.1.0"
T = TypeVar("T")

__all__ = [
    "ActivityRecord",
    "AnnexCountRecord",
    "AnnexRecord",
    "AnnexesRecord",
    "ChangeRecord",
    "ChangedDatumName",
    "ChangesRequest",
    "CodedRucRequest",
    "CoveredPeriod",
    "DayRecord",
    "DetailRecord",
    "DistrictRecord",
    "DistrictsRecord",
    "ElectronicRecord",
    "ErrorCode",
    "ExchangeRateRecord",
    "FeedChangeRecord",
    "FeedRecord",
    "FiscalAddressRecord",
    "GapRecord",
    "HistoryRecord",
    "IncapacityRecord",
    "InvalidRucRecord",
    "ListRecord",
    "ListsRecord",
    "MonthRecord",
    "MonthsRecord",
    "OpenDataRecord",
    "OperatingCapacityRecord",
    "PeriodRecord",
    "ProfileRecord",
    "QueriesRecord",
    "RucBatchRecord",
    "RucItem",
    "RucItemRecord",
    "RucOnDay",
    "SanctionRecord",
    "SearchModeName",
    "SearchRecord",
    "SearchRequest",
    "SourceFileRecord",
    "SummaryRecord",
    "TaxpayerData",
    "UsageRecord",
    "ValidSinceRecord",
    "VoucherBatchRecord",
    "VoucherInBatch",
    "VoucherItemRecord",
    "VoucherRecord",
    "VoucherRequest",
    "WatchChangeRecord",
    "WatchItem",
    "WatchListRecord",
    "WatchedRecord",
    "WebhookData",
    "WebhookRecord",
]


@dataclass(frozen=True)
class ActivityRecord:
    """Una actividad económica."""

    ciiu: str
    """Código CIIU."""

    descripcion: str
    """Descripción."""

    tipo: str
    """PRINCIPAL o SECUNDARIA."""


@dataclass(frozen=True)
class AnnexCountRecord:
    """Cuántos locales anexos."""

    total: int
    """El total."""


@dataclass(frozen=True)
class AnnexRecord:
    """Un local anexo. Lo que el archivo no dice es un texto vacío."""

    actividad_economica: str
    """Actividad económica; no se publica."""

    codigo: str
    """Código del establecimiento; no se publica."""

    departamento: str
    """Departamento."""

    direccion: str
    """Dirección en una línea."""

    direccion_completa: str
    """Dirección con distrito, provincia y departamento."""

    distrito: str
    """Distrito."""

    provincia: str
    """Provincia."""

    tipo_de_establecimiento: str
    """Tipo de establecimiento; no se publica."""

    ubigeo: str
    """Código de distrito del INEI."""


@dataclass(frozen=True)
class ChangeRecord:
    """Un cambio."""

    antes: str
    """El valor anterior."""

    dato: str
    """Qué cambió: existe, un campo, el nombre de un padrón, sin_capacidad_operativa o sancion."""

    despues: str
    """El valor nuevo."""

    edicion: str
    """Esa edición."""

    fecha: str
    """La fecha de la primera edición con el valor nuevo."""


class ChangesRequest(TypedDict, total=False):
    """Lo que se envía para leer cambios."""

    datos: Optional[list[ChangedDatumName]]
    """Solo los cambios de estos datos."""

    desde: Optional[str]
    """El cursor de la página anterior, o una fecha, que se incluye; sin él, solo lo que venga después."""

    limite: Optional[int]
    """Cuántos cambios trae la página como máximo; 100 si falta."""

    todos: Optional[bool]
    """true: los cambios de todas las empresas (RUC 20), con cualquier plan."""


class _CodedRucRequestRequired(TypedDict):
    """Un RUC con el código que le da la cuenta."""

    ruc: str
    """RUC de 11 dígitos."""


class CodedRucRequest(_CodedRucRequestRequired, total=False):
    """Un RUC con el código que le da la cuenta."""

    codigo: Optional[str]
    """El código propio, como el número de proveedor; 40 caracteres como máximo."""


@dataclass(frozen=True)
class CoveredPeriod:
    """Primer y último día."""

    desde: str

    hasta: str


@dataclass(frozen=True)
class DayRecord:
    """El contribuyente en una fecha: con existe true, todos los campos; con false, solo los tres primeros."""

    edicion: str
    """La edición del padrón que la cubre."""

    existe: bool
    """Si está en esa edición."""

    fecha: str
    """La fecha."""

    condicion: Optional[str] = None
    """Condición del domicilio, como HABIDO o NO HALLADO."""

    departamento: Optional[str] = None
    """Departamento; vacío si no hay dirección."""

    direccion: Optional[str] = None
    """Dirección en una línea; vacía para personas naturales."""

    es_agente_de_retencion: Optional[str] = None
    """SI o NO; null si no se sabe."""

    es_buen_contribuyente: Optional[str] = None
    """SI o NO; null si no se sabe."""

    estado: Optional[str] = None
    """Estado, como ACTIVO o BAJA DE OFICIO."""

    nombre_o_razon_social: Optional[str] = None
    """Nombre o razón social."""

    padrones: Optional[list[str]] = None
    """Los padrones en los que estaba."""

    ruc: Optional[str] = None
    """RUC de 11 dígitos."""

    sin_capacidad_operativa: Optional[bool] = None
    """Si estaba declarado sin capacidad operativa; null si no se sabe."""


@dataclass(frozen=True)
class DetailRecord:
    """Datos completos de un contribuyente."""

    actividad_comercio_exterior: str
    """Actividad de comercio exterior."""

    actividades_economicas: list[str]
    """Descripciones de las actividades económicas."""

    actividades_economicas_detalle: list[ActivityRecord]
    """Las mismas actividades con su código."""

    comprobantes_autorizados: list[str]
    """Comprobantes autorizados."""

    condicion: str
    """Condición del domicilio."""

    direccion_completa: str
    """Dirección con distrito, provincia y departamento; vacía para personas naturales."""

    emision_electronica: ElectronicRecord
    """Emisión electrónica."""

    estado: str
    """Estado."""

    fecha_baja: Optional[str]
    """Fecha de baja."""

    fecha_inicio_actividades: Optional[str]
    """Fecha de inicio de actividades."""

    fecha_inscripcion: Optional[str]
    """Fecha de inscripción."""

    nombre_comercial: str
    """Nombre comercial."""

    nombre_o_razon_social: str
    """Nombre o razón social."""

    padrones: list[str]
    """Padrones a los que pertenece."""

    ruc: str
    """RUC de 11 dígitos."""

    sistema_contabilidad: str
    """Sistema de contabilidad."""

    sistema_emision: str
    """Sistema de emisión."""

    tipo_contribuyente: str
    """Tipo de contribuyente."""


@dataclass(frozen=True)
class DistrictRecord:
    """Un distrito."""

    departamento: str
    """Departamento."""

    distrito: str
    """Distrito."""

    provincia: str
    """Provincia."""

    ubigeo: str
    """Código de distrito del INEI."""


@dataclass(frozen=True)
class ElectronicRecord:
    """Lo que se sabe de la emisión electrónica."""

    afiliado_ple_desde: Optional[str]
    """Afiliado al PLE desde."""

    comprobantes: list[str]
    """Comprobantes electrónicos."""

    desde: Optional[str]
    """Emisor electrónico desde."""

    sistemas: list[str]
    """Sistemas de emisión electrónica."""


@dataclass(frozen=True)
class ExchangeRateRecord:
    """El tipo de cambio de un día."""

    compra: float
    """Soles por dólar a la compra, con tres decimales."""

    fecha_busqueda: str
    """El día que se consultó."""

    fecha_cierre: Optional[str]
    """El día del cierre de la SBS; null mientras no se conozca."""

    fecha_sunat: str
    """El día para el que la SUNAT lo publica."""

    fuente: str
    """Quién lo dice: SUNAT, por su texto de ese día, o BCRP, por el cierre que publica."""

    moneda: str
    """USD."""

    venta: float
    """Soles por dólar a la venta, con tres decimales."""

    date: Optional[str] = None
    """La fecha_busqueda, con el nombre que esperan clientes de otros servicios."""

    purchase: Optional[float] = None
    """La compra, igualmente."""

    sale: Optional[float] = None
    """La venta, igualmente."""


@dataclass(frozen=True)
class FeedChangeRecord:
    """Un cambio de un RUC."""

    antes: str
    """El valor anterior."""

    codigo: Optional[str]
    """El código propio; null si no tiene."""

    dato: str
    """Qué cambió, como en /ruc-historial."""

    despues: str
    """El valor nuevo."""

    edicion: str
    """La edición que pasó a ser la actual."""

    fecha: str
    """La fecha de la edición."""

    ruc: str
    """RUC de 11 dígitos."""


@dataclass(frozen=True)
class FeedRecord:
    """Una página de cambios."""

    al_dia: bool
    """Si no queda nada más por ahora; si es false y siguiente repite desde, llame más tarde."""

    cambios: list[FeedChangeRecord]
    """Por publicación, del más antiguo al más nuevo; dentro de ella por RUC."""

    siguiente: str
    """El cursor para la siguiente llamada."""


@dataclass(frozen=True)
class FiscalAddressRecord:
    """El domicilio fiscal. Para personas naturales, todo menos el RUC es un texto vacío."""

    departamento: str
    """Departamento."""

    direccion: str
    """Dirección en una línea."""

    direccion_completa: str
    """Dirección con distrito, provincia y departamento."""

    distrito: str
    """Distrito."""

    provincia: str
    """Provincia."""

    ruc: str
    """RUC de 11 dígitos."""

    ubigeo: str
    """Código de distrito del INEI."""


@dataclass(frozen=True)
class GapRecord:
    """Días que el registro de un conjunto de datos no cubre."""

    dataset: str
    """El conjunto de datos."""

    desde: str
    """El primer día."""

    hasta: str
    """El último día."""

    motivo: str
    """Por qué: sin ediciones, o sin registro de cambios."""


@dataclass(frozen=True)
class HistoryRecord:
    """Lo que el registro de cambios tiene de un contribuyente."""

    cambios: list[ChangeRecord]
    """Los cambios, de la edición más nueva a la más antigua; 200 como máximo."""

    desde: str
    """El primer día que cubre el registro del padrón."""

    en_fecha: Optional[DayRecord]
    """El contribuyente en la fecha; null sin fecha."""

    hasta: str
    """El último."""

    mas_cambios: bool
    """Si hay más cambios que los que están aquí."""

    periodos_sin_registro: list[GapRecord]
    """Los días entre ambas que el registro de un conjunto de datos no cubre."""

    por_mes: Optional[MonthsRecord]
    """Lo que los datos abiertos dijeron de una empresa cada mes; null si no se leyó ningún mes."""

    ruc: str
    """RUC de 11 dígitos."""

    vigente_desde: Optional[ValidSinceRecord]
    """Desde cuándo vale sin interrupción lo de hoy, hasta donde llega el registro; null si hoy no está en el padrón."""


@dataclass(frozen=True)
class IncapacityRecord:
    """La resolución que declara a un contribuyente sin capacidad operativa."""

    fecha_resolucion: Optional[str]
    """Día de la resolución."""

    firme_desde: Optional[str]
    """Día desde el que está firme."""

    resolucion: str
    """Número de la resolución."""


@dataclass(frozen=True)
class InvalidRucRecord:
    """Un elemento que no es válido."""

    message: str
    """Por qué no es válido."""

    ruc: str
    """Lo enviado."""


@dataclass(frozen=True)
class ListRecord:
    """Un padrón en el que está el contribuyente."""

    codigo: str
    """Nombre del conjunto de datos."""

    desde: Optional[str]
    """Primer día."""

    nombre: str
    """Nombre del padrón."""

    resolucion: str
    """La resolución; vacía si no se publica."""


@dataclass(frozen=True)
class ListsRecord:
    """Elementos por lista."""

    comprobantes: int
    """En /cpe-multiple."""

    rucs: int
    """En /ruc-multiple."""


@dataclass(frozen=True)
class MonthRecord:
    """Estado y condición publicados para un mes; null si la empresa no está en el archivo del mes."""

    condicion: Optional[str]
    """Condición."""

    estado: Optional[str]
    """Estado."""

    periodo: str
    """El mes, AAAA-MM."""


@dataclass(frozen=True)
class MonthsRecord:
    """Lo que los datos abiertos dijeron de una empresa cada mes."""

    cambios: list[MonthRecord]
    """El primer mes y cada mes que difiere del mes conocido anterior, del más nuevo al más antiguo."""

    desde: str
    """El primer mes leído, AAAA-MM."""

    hasta: str
    """El último mes leído."""

    meses_que_faltan: list[str]
    """Los meses entre ambos que no se publicaron o no se leyeron."""


@dataclass(frozen=True)
class OpenDataRecord:
    """Lo que dicen los datos abiertos."""

    actividad_comercio_exterior: str
    """Actividad de comercio exterior."""

    actividades_economicas: list[str]
    """Descripciones de las actividades económicas, la principal primero."""

    periodo: str
    """Mes de publicación, AAAA-MM."""

    sistema_contabilidad: str
    """Sistema de contabilidad."""

    sistema_emision: str
    """Sistema de emisión."""

    tipo_contribuyente: str
    """Tipo de contribuyente, en mayúsculas y sin tildes."""

    trabajadores: Optional[int]
    """Número de trabajadores."""


@dataclass(frozen=True)
class OperatingCapacityRecord:
    """Si un contribuyente fue declarado sin capacidad operativa."""

    ruc: str
    """RUC de 11 dígitos."""

    sin_capacidad_operativa: Optional[IncapacityRecord]
    """La resolución; null si no hay ninguna."""


@dataclass(frozen=True)
class PeriodRecord:
    """Primer y último día."""

    desde: str
    """Primer día del mes."""

    hasta: str
    """Último día del mes."""


@dataclass(frozen=True)
class ProfileRecord:
    """Todo lo que los archivos publicados dicen de un contribuyente."""

    anexos: Optional[AnnexCountRecord]
    """Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos."""

    condicion: str
    """Condición del domicilio, como HABIDO o NO HALLADO."""

    datos_abiertos: Optional[OpenDataRecord]
    """Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen."""

    departamento: str
    """Departamento; vacío si no hay dirección."""

    direccion: str
    """Dirección en una línea; vacía para personas naturales."""

    direccion_completa: str
    """Dirección con distrito, provincia y departamento; vacía para personas naturales."""

    distrito: str
    """Distrito; vacío si no se conoce."""

    es_agente_de_retencion: str
    """SI o NO; vacío si no se usa esa lista."""

    es_buen_contribuyente: str
    """SI o NO; vacío si no se usa esa lista."""

    estado: str
    """Estado, como ACTIVO o BAJA DE OFICIO."""

    fuentes: list[SourceFileRecord]
    """Los archivos que respondieron."""

    no_disponibles: list[str]
    """Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe"."""

    nombre_o_razon_social: str
    """Nombre o razón social."""

    padrones: Optional[list[ListRecord]]
    """Padrones en los que está; null si ninguno está disponible."""

    provincia: str
    """Provincia; vacía si no se conoce."""

    ruc: str
    """RUC de 11 dígitos."""

    sanciones: Optional[list[SanctionRecord]]
    """Sanciones para contratar con el Estado."""

    sin_capacidad_operativa: Optional[IncapacityRecord]
    """La resolución que lo declaró sin capacidad operativa; null si no hay ninguna."""

    ubigeo: str
    """Código de distrito del INEI; vacío si no se conoce."""


@dataclass(frozen=True)
class QueriesRecord:
    """Límite, usadas y restantes."""

    limite: int
    """Las que el plan incluye."""

    restantes: int
    """Las que quedan."""

    usadas: int
    """Las ya descontadas."""


@dataclass(frozen=True)
class RucBatchRecord:
    """Las respuestas a una lista de RUC."""

    edicion: str
    """La edición del padrón que respondió."""

    encontrados: int
    """Cuántos se encontraron."""

    resultados: list[RucItemRecord]
    """Una respuesta por elemento, en el orden de la lista."""

    total: int
    """Cuántos elementos tiene la lista."""

    fuentes: Optional[list[SourceFileRecord]] = None
    """Los archivos que respondieron; solo con ficha."""

    no_disponibles: Optional[list[str]] = None
    """Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe". Solo con ficha."""


@dataclass(frozen=True)
class RucItemRecord:
    """La respuesta a un RUC de una lista: data si su código es found; si no, message."""

    code: str
    """found, document_not_found, invalid_input, date_not_covered o upstream_unavailable."""

    retryable: bool
    """Si repetir este RUC más tarde puede dar otra respuesta."""

    ruc: str
    """El RUC, como fue enviado."""

    data: Optional[TaxpayerData] = None
    """El contribuyente; de un elemento con fecha, el en_fecha de /ruc-historial."""

    fecha: Optional[str] = None
    """La fecha, como fue enviada, si el elemento la tiene."""

    message: Optional[str] = None
    """Qué pasó, para personas."""

    retry_after: Optional[int] = None
    """Con retryable: cuántos segundos esperar."""


class RucOnDay(TypedDict):
    """Un RUC en una fecha."""

    fecha: str
    """El día."""

    ruc: str
    """RUC de 11 dígitos."""


@dataclass(frozen=True)
class SanctionRecord:
    """Una sanción para contratar con el Estado."""

    desde: str
    """Primer día."""

    hasta: Optional[str]
    """Último día; null si es definitiva."""

    motivo: str
    """El motivo, como se publica."""

    tipo: str
    """DEFINITIVA o TEMPORAL."""


@dataclass(frozen=True)
class SearchRecord:
    """Una página de empresas."""

    edicion: str
    """La edición del padrón."""

    resultados: list[SummaryRecord]
    """Las empresas, en orden."""

    siguiente: Optional[str]
    """El cursor de la página que sigue; null si no hay más."""


class _SearchRequestRequired(TypedDict):
    """Lo que se envía para buscar por nombre."""

    nombre: str
    """De 2 a 100 caracteres y 10 palabras como máximo. Una letra sola no basta."""


class SearchRequest(_SearchRequestRequired, total=False):
    """Lo que se envía para buscar por nombre."""

    condicion: Optional[str]
    """Solo empresas con esta condición del domicilio."""

    cursor: Optional[str]
    """El valor de siguiente de la página anterior, con el mismo nombre, modo y filtros."""

    departamento: Optional[str]
    """Solo empresas de este departamento."""

    estado: Optional[str]
    """Solo empresas con este estado."""

    limite: Optional[int]
    """Empresas por página; 20 si falta."""

    modo: Optional[SearchModeName]
    """Cómo se comparan las palabras con las del nombre."""


@dataclass(frozen=True)
class SourceFileRecord:
    """Un archivo publicado, y de cuándo es."""

    edicion: str
    """La edición."""

    fecha: str
    """El día de su publicación."""

    nombre: str
    """Nombre del conjunto de datos."""


@dataclass(frozen=True)
class SummaryRecord:
    """Datos resumidos de un contribuyente, según el padrón reducido."""

    condicion: str
    """Condición del domicilio, como HABIDO o NO HALLADO."""

    departamento: str
    """Departamento; vacío si no hay dirección."""

    direccion: str
    """Dirección en una línea; vacía para personas naturales."""

    es_agente_de_retencion: str
    """SI o NO; vacío si no se usa esa lista."""

    es_buen_contribuyente: str
    """SI o NO; vacío si no se usa esa lista."""

    estado: str
    """Estado, como ACTIVO o BAJA DE OFICIO."""

    nombre_o_razon_social: str
    """Nombre o razón social."""

    ruc: str
    """RUC de 11 dígitos."""


@dataclass(frozen=True)
class TaxpayerData:
    """Un contribuyente: los ocho campos de /ruc, y con ficha los demás; de un elemento con fecha, los de en_fecha de /ruc-historial."""

    anexos: Optional[AnnexCountRecord] = None
    """Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos."""

    condicion: Optional[str] = None
    """Condición del domicilio, como HABIDO o NO HALLADO."""

    datos_abiertos: Optional[OpenDataRecord] = None
    """Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen."""

    departamento: Optional[str] = None
    """Departamento; vacío si no hay dirección."""

    direccion: Optional[str] = None
    """Dirección en una línea; vacía para personas naturales."""

    direccion_completa: Optional[str] = None
    """Dirección con distrito, provincia y departamento; vacía para personas naturales."""

    distrito: Optional[str] = None
    """Distrito; vacío si no se conoce."""

    edicion: Optional[str] = None
    """De un elemento con fecha: la edición que la cubre."""

    es_agente_de_retencion: Optional[str] = None
    """SI o NO; vacío o null si no se sabe."""

    es_buen_contribuyente: Optional[str] = None
    """SI o NO; vacío o null si no se sabe."""

    estado: Optional[str] = None
    """Estado, como ACTIVO o BAJA DE OFICIO."""

    existe: Optional[bool] = None
    """De un elemento con fecha: si estaba en esa edición."""

    fecha: Optional[str] = None
    """De un elemento con fecha: la fecha."""

    nombre_o_razon_social: Optional[str] = None
    """Nombre o razón social."""

    padrones: Optional[list[Any]] = None
    """Con ficha, los de /ruc-ficha; de un elemento con fecha, los de en_fecha de /ruc-historial."""

    provincia: Optional[str] = None
    """Provincia; vacía si no se conoce."""

    ruc: Optional[str] = None
    """RUC de 11 dígitos."""

    sanciones: Optional[list[SanctionRecord]] = None
    """Sanciones para contratar con el Estado."""

    sin_capacidad_operativa: Any = None
    """Con ficha, la de /ruc-ficha; de un elemento con fecha, la de en_fecha de /ruc-historial."""

    ubigeo: Optional[str] = None
    """Código de distrito del INEI; vacío si no se conoce."""


@dataclass(frozen=True)
class UsageRecord:
    """Consumo del plan en el mes."""

    consultas: QueriesRecord
    """Consultas del mes."""

    limite_por_segundo: int
    """Consultas por segundo que el plan sostiene."""

    listas: ListsRecord
    """Elementos por lista."""

    periodo: PeriodRecord
    """El mes, en hora del Perú."""

    plan: str
    """Nombre del plan."""

    seguimiento: int
    """RUC que la cuenta puede seguir."""


@dataclass(frozen=True)
class ValidSinceRecord:
    """Desde cuándo valen el estado y la condición de hoy."""

    condicion: str
    """La condición."""

    estado: str
    """El estado."""


@dataclass(frozen=True)
class VoucherBatchRecord:
    """Las respuestas a una lista de comprobantes."""

    encontrados: int
    """Cuántos tienen respuesta de la SUNAT."""

    resultados: list[VoucherItemRecord]
    """Una respuesta por elemento, en el orden de la lista."""

    total: int
    """Cuántos elementos tiene la lista."""


class VoucherInBatch(TypedDict):
    """Lo que se envía para validar un comprobante."""

    codigo_tipo_documento: Literal["01", "03", "04", "07", "08", "R1", "R7"]
    """01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7."""

    fecha_de_emision: str
    """AAAA-MM-DD; no posterior a hoy en el Perú."""

    numero_documento: str
    """Número, de 1 a 8 dígitos."""

    ruc_emisor: str
    """RUC del emisor."""

    serie_documento: str
    """Serie, según el tipo de comprobante: F001 o E001 en facturas, B001 o EB01 en boletas, o solo dígitos."""

    total: Union[float, str]
    """Importe total, con 2 decimales como máximo: un número o un texto."""


@dataclass(frozen=True)
class VoucherItemRecord:
    """La respuesta a un comprobante de una lista: sus campos como fueron enviados, o la línea que no se pudo separar; luego data si su código es found, y si no, message."""

    code: str
    """found, invalid_input o upstream_unavailable."""

    retryable: bool
    """Si repetir este comprobante más tarde puede dar otra respuesta."""

    codigo_tipo_documento: Optional[str] = None
    """Tipo de comprobante."""

    data: Optional[VoucherRecord] = None
    """Lo que la SUNAT dice."""

    fecha_de_emision: Optional[str] = None
    """Fecha de emisión."""

    linea: Optional[str] = None
    """La línea que no tiene seis campos."""

    message: Optional[str] = None
    """Qué pasó, para personas."""

    numero_documento: Optional[str] = None
    """Número."""

    retry_after: Optional[int] = None
    """Con retryable: cuántos segundos esperar."""

    ruc_emisor: Optional[str] = None
    """RUC del emisor."""

    serie_documento: Optional[str] = None
    """Serie."""

    total: Optional[str] = None
    """Importe total, en texto."""


@dataclass(frozen=True)
class VoucherRecord:
    """Lo que la SUNAT dice de un comprobante."""

    comprobante_estado_codigo: str
    """0 no existe, 1 aceptado, 2 anulado, 3 autorizado, 4 no autorizado; otros códigos se devuelven tal cual."""

    comprobante_estado_descripcion: str
    """El código en palabras; vacío si no está en la tabla."""

    empresa_condicion_descripcion: str
    """Condición del emisor; vacía si la SUNAT no la dice."""

    empresa_estado_descripcion: str
    """Estado del emisor; vacío si la SUNAT no lo dice."""

    numero_documento: str
    """Número, como fue enviado."""

    observaciones: list[str]
    """Observaciones, solo informativas."""

    ruc_emisor: str
    """RUC del emisor, como fue enviado."""

    serie_documento: str
    """Serie, como fue enviada."""


class VoucherRequest(TypedDict):
    """Lo que se envía para validar un comprobante."""

    codigo_tipo_documento: Literal["01", "03", "04", "07", "08", "R1", "R7"]
    """01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7."""

    fecha_de_emision: str
    """AAAA-MM-DD; no posterior a hoy en el Perú."""

    numero_documento: str
    """Número, de 1 a 8 dígitos."""

    ruc_emisor: str
    """RUC del emisor."""

    serie_documento: str
    """Serie, según el tipo de comprobante: F001 o E001 en facturas, B001 o EB01 en boletas, o solo dígitos."""

    total: Union[float, str]
    """Importe total, con 2 decimales como máximo: un número o un texto."""


@dataclass(frozen=True)
class WatchChangeRecord:
    """Lo que cambió en la lista."""

    agregados: int
    """Los que no seguía."""

    no_validos: list[InvalidRucRecord]
    """Elementos no válidos; los demás se procesaron."""

    quitados: int
    """Los que seguía y ya no."""

    total: int
    """Los RUC que la cuenta sigue ahora."""


@dataclass(frozen=True)
class WatchListRecord:
    """Una página de los RUC que la cuenta sigue."""

    rucs: list[WatchedRecord]
    """Por número de RUC."""

    siguiente: Optional[str]
    """El cursor de la página siguiente; null si no hay más."""

    total: int
    """Los RUC de todas las páginas."""


@dataclass(frozen=True)
class WatchedRecord:
    """Un RUC en seguimiento."""

    codigo: Optional[str]
    """El código propio; null si no tiene."""

    ruc: str
    """RUC de 11 dígitos."""


@dataclass(frozen=True)
class WebhookData:
    """Los cambios de una publicación."""

    cambios: list[FeedChangeRecord]
    """Hasta 100 cambios; si hay más, vienen en los avisos siguientes."""

    edicion: Optional[str]
    """La edición que trajo los cambios; nulo en una prueba."""


@dataclass(frozen=True)
class WebhookRecord:
    """Lo que se envía a la dirección de un aviso."""

    data: WebhookData
    """Lo que cambió."""

    timestamp: str
    """Cuándo se hizo el aviso."""

    type: str
    """`contribuyente.cambios`, o `prueba`, sin cambios."""


AnnexesRecord = list[AnnexRecord]

ChangedDatumName = Literal["existe", "nombre_o_razon_social", "estado", "condicion", "direccion", "departamento", "provincia", "distrito", "retencion", "buenos_contribuyentes", "percepcion_venta_interna", "percepcion_combustibles", "sin_capacidad_operativa", "sancion"]

DistrictsRecord = list[DistrictRecord]

ErrorCode = Literal["invalid_input", "date_not_covered", "cursor_expired", "unauthenticated", "forbidden", "watch_limit_exceeded", "document_not_found", "route_not_found", "method_not_allowed", "payload_too_large", "unsupported_media_type", "rate_limited", "quota_exceeded", "upstream_unavailable", "service_unavailable", "internal_error"]

RucItem = Union[str, RucOnDay]

SearchModeName = Literal["palabras", "comienzo", "contiene"]

WatchItem = Union[str, CodedRucRequest]


@lru_cache(maxsize=None)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def decode(kind: type[T], value: Any) -> T:
    """The decoded JSON as a record or a list of records."""
    decoded: T = _decode(kind, value)
    return decoded


def _decode(kind: Any, value: Any) -> Any:
    if kind is Any or value is None and type(None) in get_args(kind):
        return value
    if get_origin(kind) is Union:
        return _decode(get_args(kind)[0], value)
    if get_origin(kind) is list:
        return [_decode(get_args(kind)[0], element) for element in _expect(list, value)]
    if kind in (str, int, float, bool):
        return float(_expect((int, float), value)) if kind is float else _expect(kind, value)
    hints, found = _hints(kind), _expect(dict, value)
    missing = [field.name for field in fields(kind) if field.default is MISSING and field.name not in found]
    if missing:
        raise KurakaConnectionError(f"La respuesta no tiene el campo {missing[0]}.", False)
    return kind(**{name: _decode(hints[name], found[name]) for name in hints if name in found})


def _expect(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind):
        raise KurakaConnectionError("La respuesta no tiene la forma documentada.", False)
    return value
