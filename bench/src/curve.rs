//! The goodput curve as an SVG picture that is readable on a light and on a dark page.

/// The goodput of one operation.
pub struct Curve {
    pub name: String,
    /// Answers per second at capacity.
    pub capacity: f64,
    /// Offered load as a multiple of the capacity, and goodput as a share of it.
    pub points: Vec<(f64, f64)>,
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 480.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 330.0;
/// The range of both axes. The horizontal one is logarithmic.
const MIN_LOAD: f64 = 0.5;
const MAX_LOAD: f64 = 10.0;
const MAX_SHARE: f64 = 1.2;

/// Colours that have enough contrast on white and on black, and dashes for readers who do not see them.
const STYLES: [(&str, &str); 4] =
    [("#b8860b", "none"), ("#c0504d", "7 3"), ("#2e8b57", "2 3"), ("#4f81bd", "10 3 2 3")];

pub fn draw(curves: &[Curve]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 400\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>Goodput by offered load</title>\n\
         <style>text {{ fill: #333 }} .axis {{ stroke: #333 }} .grid {{ stroke: #8884 }} .ideal {{ stroke: #888 }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} .axis {{ stroke: #ddd }} }}</style>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">Goodput by offered load (open loop)</text>\n"
    );
    for share in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2] {
        let y = y(share);
        svg += &line("grid", LEFT, y, RIGHT, y, "");
        svg += &text(LEFT - 8.0, y + 4.0, "end", &format!("{:.0} %", share * 100.0));
    }
    for multiple in [0.5, 1.0, 2.0, 5.0, 10.0] {
        let x = x(multiple);
        svg += &line("grid", x, TOP, x, BOTTOM, "");
        svg += &text(x, BOTTOM + 18.0, "middle", &format!("{multiple}×"));
    }
    svg += &line("axis", LEFT, BOTTOM, RIGHT, BOTTOM, "");
    svg += &line("axis", LEFT, TOP, LEFT, BOTTOM, "");
    let middle = (LEFT + RIGHT) / 2.0;
    svg += &text(middle, BOTTOM + 42.0, "middle", "offered load, multiples of the capacity (logarithmic)");
    svg += &format!(
        "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">answers per second, % of the capacity</text>\n",
        (TOP + BOTTOM) / 2.0
    );
    svg += &format!(
        "<polyline class=\"ideal\" fill=\"none\" stroke-dasharray=\"1 4\" points=\"{}\"/>\n",
        [(0.5, 0.5), (1.0, 1.0), (10.0, 1.0)].map(point).join(" ")
    );
    for (index, (curve, (colour, dashes))) in curves.iter().zip(STYLES).enumerate() {
        let points: Vec<String> = curve.points.iter().map(|at| point(*at)).collect();
        svg += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dashes}\" points=\"{}\"/>\n",
            points.join(" ")
        );
        for (multiple, share) in &curve.points {
            svg +=
                &format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n", x(*multiple), y(*share));
        }
        let height = TOP + 30.0 + 50.0 * index as f64;
        svg += &format!(
            "<line x1=\"500\" x2=\"536\" y1=\"{height}\" y2=\"{height}\" stroke=\"{colour}\" stroke-width=\"2.5\" \
             stroke-dasharray=\"{dashes}\"/>\n"
        );
        svg += &text(544.0, height, "start", &curve.name);
        svg += &text(544.0, height + 17.0, "start", &format!("capacity {:.0} answers/s", curve.capacity));
    }
    let height = TOP + 30.0 + 50.0 * curves.len() as f64;
    svg += &line("ideal", 500.0, height, 536.0, height, " stroke-dasharray=\"1 4\"");
    svg += &text(544.0, height + 4.0, "start", "ideal");
    svg + "</svg>\n"
}

fn x(multiple: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * (multiple / MIN_LOAD).ln() / (MAX_LOAD / MIN_LOAD).ln()
}

fn y(share: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * share.min(MAX_SHARE) / MAX_SHARE
}

fn point((multiple, share): (f64, f64)) -> String {
    format!("{:.1},{:.1}", x(multiple), y(share))
}

fn line(class: &str, x1: f64, y1: f64, x2: f64, y2: f64, more: &str) -> String {
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{more}/>\n")
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}
