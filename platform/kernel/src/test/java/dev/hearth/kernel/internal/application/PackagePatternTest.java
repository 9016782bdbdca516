package dev.hearth.kernel.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackagePatternTest {
    @Test
    void readsAHeader() {
        assertEquals(
                List.of(new PackagePattern("a.b", false), new PackagePattern("c", true)),
                PackagePattern.parse(" a.b;version=\"1.2\" ,, c.* "));
        assertEquals(List.of(), PackagePattern.parse(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "a.b,   a.b,   true",
        "a.b,   a.b.c, false",
        "a.b.*, a.b,   true",
        "a.b.*, a.b.c, true",
        "a.b.*, a.bc,  false",
        "a.b,   a,     false"
    })
    void coversPackages(String pattern, String name, boolean covered) {
        assertEquals(covered, PackagePattern.parse(pattern).get(0).covers(name));
    }

    @ParameterizedTest
    @CsvSource({
        "a.b,   a.b,     true",
        "a.b,   a.b.*,   false",
        "a.b.*, a.b.*,   true",
        "a.b.*, a.b.c.*, true",
        "a.b.*, a.b.c,   true",
        "a.b.c, a.b.*,   false"
    })
    void coversPatternsThatAskForNoMore(String offered, String wanted, boolean covered) {
        assertEquals(
                covered,
                PackagePattern.parse(offered)
                        .get(0)
                        .covers(PackagePattern.parse(wanted).get(0)));
    }
}
