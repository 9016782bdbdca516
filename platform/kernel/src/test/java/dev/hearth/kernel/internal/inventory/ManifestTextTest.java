package dev.hearth.kernel.internal.inventory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.kernel.internal.inventory.ManifestClauses.Clause;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestTextTest {
    @Test
    void readsClausesWithQuotedCommasAndTypedAttributes() {
        List<Clause> clauses = ManifestClauses.parse(
                "a.b;c.d;version=\"1.2\";uses:=\"x,y\", e.f , osgi.service;objectClass:List<String>=\"g.H,g.I\"");
        assertEquals(
                List.of(
                        new Clause(List.of("a.b", "c.d"), Map.of("version", "1.2", "uses:", "x,y")),
                        new Clause(List.of("e.f"), Map.of()),
                        new Clause(List.of("osgi.service"), Map.of("objectClass", "g.H,g.I"))),
                clauses);
        assertEquals(List.of(), ManifestClauses.parse(""));
    }

    @Test
    void writesFiltersAsNamesAndRanges() {
        String space = "osgi.wiring.package";
        assertEquals("a.b", FilterText.of("(osgi.wiring.package=a.b)", space));
        assertEquals("a.b 1.5.0 or newer", FilterText.of("(&(osgi.wiring.package=a.b)(version>=1.5.0))", space));
        assertEquals(
                "a.b [1.0.0, 2.0.0)",
                FilterText.of("(&(osgi.wiring.package=a.b)(version>=1.0.0)(!(version>=2.0.0)))", space));
        assertEquals("(other=c)", FilterText.of("(other=c)", space));
    }
}
