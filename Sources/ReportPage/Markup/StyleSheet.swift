/// How the page looks: light and dark by what the reader's machine prefers, narrow screens, paper, high contrast.
///
/// Colours have a contrast of 4.5 to 1 at least against what lies behind them, in both schemes; none of them says anything alone.
enum StyleSheet {
    static let text = colours + words + boxes + tables + frames + pictures + tools + media
    /// For a picture that is a file of its own.
    static let ofPicture = colours + pictures

    private static let colours = """
        :root{color-scheme:light dark;--bg:#ffffff;--panel:#f6f7f9;--text:#1b1f24;--muted:#57606a;--line:#d8dee4;--pass:#006d77;\
        --fail:#b3261e;--doubt:#5e35b1;--p50:#0b63b5;--p95:#9a5b00;--band:#57606a;--h1:#c6dbef;--h2:#9ecae1;--h3:#6baed6;\
        --h4:#3182bd;--h5:#08519c;--h6:#08306b;--o-gitlab:#9a5b00;--o-quiet:#5e35b1;--o-down:#57606a;--o-notifier:#0b63b5;\
        --o-push:#006d77}
        @media (prefers-color-scheme:dark){:root{--bg:#0f1419;--panel:#171d24;--text:#e6e9ed;--muted:#9aa4af;--line:#2b333c;\
        --pass:#7ee2d0;--fail:#ff7b72;--doubt:#c4b0ff;--p50:#6db3f2;--p95:#f0a94e;--band:#9aa4af;--h1:#12395c;--h2:#1b5a8f;\
        --h3:#2f7fc1;--h4:#5ba3dd;--h5:#97c7ee;--h6:#d3e8fa;--o-gitlab:#f0a94e;--o-quiet:#c4b0ff;--o-down:#9aa4af;\
        --o-notifier:#6db3f2;--o-push:#7ee2d0}}

        """

    private static let words = """
        *{box-sizing:border-box}
        body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
        main,nav{max-width:1112px;margin:0 auto;padding:0 16px}
        main{padding-bottom:64px}
        main nav{padding:0}
        h1{font-size:1.35rem;line-height:1.25;margin:0 0 .4rem;overflow-wrap:anywhere}
        h2{font-size:1.2rem;margin:2.4rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--line)}
        h2,h3{overflow-wrap:anywhere}
        h3{font-size:1rem;margin:1.4rem 0 .4rem}
        p{margin:.4rem 0;overflow-wrap:anywhere;max-width:80ch}
        a{color:inherit}
        code,pre,.mono{font:.875em/1.5 ui-monospace,monospace}
        code,td,th,li,summary,bdi{unicode-bidi:isolate;overflow-wrap:anywhere}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0;padding:.6rem .8rem;background:var(--panel);border-radius:6px}
        .muted{color:var(--muted)}
        .pass{color:var(--pass)}.fail{color:var(--fail)}.insufficient{color:var(--doubt)}
        .word{font-weight:700;white-space:nowrap}
        :focus-visible{outline:2px solid var(--text);outline-offset:2px}
        :target{outline:2px solid var(--p50);outline-offset:6px}
        .skip{position:absolute;left:-999px}
        .skip:focus{left:8px;top:8px;background:var(--bg);padding:.4rem .6rem}

        """

    private static let boxes = """
        .banner{border-left:8px solid currentColor;padding:.8rem 1rem;margin:1rem 0;background:var(--panel);border-radius:0 6px 6px 0}
        .banner>*{color:var(--text)}
        .banner .verdict{font-size:2rem;line-height:1.1;font-weight:800;margin:0 0 .3rem}
        .banner .verdict.pass{color:var(--pass)}.banner .verdict.fail{color:var(--fail)}
        .banner .verdict.insufficient{color:var(--doubt)}.banner .verdict.same,.same{color:var(--p50)}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.6rem 0}
        dt{color:var(--muted)}
        dd{margin:0;overflow-wrap:anywhere;min-width:0}
        nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:0;margin:.6rem 0;list-style:none}
        ul.plain{padding-left:1.2rem;margin:.4rem 0}
        details{margin:.5rem 0}
        summary{cursor:pointer;padding:.25rem 0}
        #owners{list-style:none;padding-left:.2rem}
        details.story{border:1px solid var(--line);border-radius:6px;padding:.2rem .8rem}
        .tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:.6rem;padding:0;margin:1rem 0;list-style:none}
        .tiles li{background:var(--panel);border-radius:6px;padding:.5rem .8rem}
        .tiles b{display:block;font-size:1.3rem;line-height:1.3}

        """

    private static let tables = """
        .wide{overflow-x:auto;max-width:100%}
        table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.4}
        caption{text-align:left;color:var(--muted);padding:.2rem 0}
        th,td{text-align:left;vertical-align:top;padding:.3rem .7rem .3rem 0;border-bottom:1px solid var(--line);min-width:3.5rem}
        th{font-weight:600}
        thead th{color:var(--muted);overflow-wrap:normal}
        td.n,th.n{text-align:right;white-space:nowrap}
        td.n+td.text,th.n+th:not(.n){padding-left:1rem}
        td.text{min-width:12rem}th.text{min-width:8.5rem}

        """

    private static let frames = """
        figure{margin:1rem 0}
        figcaption{color:var(--muted);font-size:.9rem;max-width:80ch}
        svg{display:block;width:100%;min-width:760px;height:auto;font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums}
        svg.small{min-width:560px;max-width:800px}

        """

    private static let pictures = """
        svg text{fill:var(--text)}
        svg .axis{fill:var(--muted)}
        svg .grid{stroke:var(--line);stroke-width:1;fill:none}
        svg .frame{stroke:var(--muted);stroke-width:1;fill:none}
        svg .band{fill:var(--band);fill-opacity:.13}
        svg .hatch{stroke:var(--band);stroke-width:1.2;stroke-opacity:.55}
        svg .edge{stroke:var(--band);stroke-width:1;stroke-dasharray:2 3}
        svg .p50{stroke:var(--p50);stroke-width:2;fill:none}
        svg .p95{stroke:var(--p95);stroke-width:2;fill:none;stroke-dasharray:6 3}
        svg .limit{stroke:var(--fail);stroke-width:2;fill:none;stroke-dasharray:10 4}
        svg .bar{fill:var(--p50)}svg .bar2{fill:var(--h2)}
        svg .seeds{fill:var(--p50);fill-opacity:.75}
        svg .dot{fill:var(--text)}svg .ring{fill:var(--bg);stroke:var(--text);stroke-width:1.5}
        svg .wrong{stroke:var(--fail);stroke-width:2;fill:none}
        svg .thin{fill:var(--band);fill-opacity:.13}
        svg .s-pass{fill:var(--pass)}svg .s-fail{fill:var(--fail)}svg .s-insufficient{fill:var(--doubt)}
        svg .c1{fill:var(--h1)}svg .c2{fill:var(--h2)}svg .c3{fill:var(--h3)}svg .c4{fill:var(--h4)}svg .c5{fill:var(--h5)}
        svg .c6{fill:var(--h6)}
        svg .o-gitlab{fill:var(--o-gitlab)}svg .o-quiet{fill:var(--o-quiet)}svg .o-down{fill:var(--o-down)}
        svg .o-notifier{fill:var(--o-notifier)}svg .o-push{fill:var(--o-push)}
        svg .on{fill:var(--bg);font-weight:600}
        svg.key{display:inline-block;width:14px;min-width:14px;height:14px;vertical-align:-2px}

        """

    /// What only a page with its script has.
    private static let tools = """
        pre.list{white-space:pre;overflow:auto;max-height:24rem;tab-size:14;font-size:.8rem}
        .find{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem .9rem;padding:.6rem .8rem;margin:.8rem 0;background:var(--panel);\
        border-radius:6px}
        .find label{display:flex;flex-direction:column;font-size:.85rem;min-width:0}
        .find label span{color:var(--muted)}
        .find output{color:var(--muted);margin-left:auto;padding:.3rem 0}
        .find select{max-width:13rem}
        .find label[for=find-abnormal]{flex-direction:row-reverse;align-items:center;gap:.5rem;min-height:2.1rem}
        .find #find-abnormal{width:1.2rem;height:1.2rem;min-height:0;margin:0}
        input,select,button{font:inherit;color:var(--text);background:var(--bg);border:1px solid var(--muted);border-radius:5px;\
        padding:.25rem .5rem;min-height:2.1rem;max-width:100%}
        button{cursor:pointer}
        button:hover{background:var(--panel)}
        ::placeholder{color:var(--muted);opacity:1}
        .jump{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .6rem;font-size:.95rem}
        .jump label{display:flex;align-items:center;gap:.5rem}
        .panel{min-height:3.2rem;padding:.3rem .9rem;margin:.6rem 0;border:1px solid var(--line);border-radius:6px}
        .panel svg{max-width:640px}
        .walk{display:flex;flex-wrap:wrap;gap:.5rem}
        #matches td,#matches th{white-space:nowrap;padding-right:1rem}
        .tip{position:fixed;z-index:2;max-width:min(26rem,calc(100vw - 16px));padding:.4rem .6rem;font-size:.85rem;line-height:1.4;\
        color:var(--text);background:var(--panel);border:1px solid var(--muted);border-radius:6px;overflow-wrap:anywhere;\
        pointer-events:none;box-shadow:0 2px 8px rgba(0,0,0,.25)}
        .tip[hidden]{display:none}
        svg.hot{cursor:pointer}
        svg .chosen{fill:none;stroke:var(--text);stroke-width:2}
        svg a:hover path,svg a:focus path{stroke:var(--text);stroke-width:2}

        """

    private static let media = """
        @media (max-width:40rem){.tiles{grid-template-columns:repeat(2,1fr)}.find label{flex:1 1 40%}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}.banner .verdict{font-size:1.6rem}}
        @media (forced-colors:active){svg text,svg .axis{fill:CanvasText}svg .grid,svg .frame{stroke:CanvasText}}
        @page{size:A4;margin:14mm}
        @media print{body{font-size:10pt}nav,.skip,.find,.panel,.tip,#matches,pre.list,.walk,button{display:none}figure,tr,.banner,.tiles{break-inside:avoid}h2,h3{break-after:avoid}\
        svg{min-width:0;print-color-adjust:exact;-webkit-print-color-adjust:exact}.wide{overflow:visible}}

        """
}
