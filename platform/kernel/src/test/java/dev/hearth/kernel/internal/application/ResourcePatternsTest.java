package dev.hearth.kernel.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcePatternsTest {
    @ParameterizedTest
    @CsvSource({
        "core-default.xml, core-default.xml, true",
        "core-default.xml, a/core-default.xml, false",
        "META-INF/services/org.apache.hadoop.*, META-INF/services/org.apache.hadoop.fs.FileSystem, true",
        "META-INF/services/org.apache.hadoop.*, META-INF/services/org.apache.hadoop.fs/FileSystem, false",
        "META-INF/services/org.apache.hadoop.*, META-INF/services/java.sql.Driver, false",
        "*-site.xml, core-site.xml, true",
        "a*b*c, aXbYbZc, true",
        "a*b*c, aXbYbZ, false",
        "*, a.class, false",
        "a/*, a/B.class, false",
        "META-INF/*, META-INF/MANIFEST.MF, false",
        "a*, a, true"
    })
    void coversTheListedNamesAndNeverClassesOrTheManifest(String header, String resource, boolean covered) {
        assertEquals(covered, ResourcePatterns.parse(header).covers(resource));
    }

    @Test
    void takesSeveralNames() {
        ResourcePatterns patterns = ResourcePatterns.parse("a.xml , b/*.xml");
        assertTrue(patterns.covers("a.xml") && patterns.covers("b/c.xml"));
    }

    @ParameterizedTest
    @CsvSource({"'a.xml,,b.xml'", "/a.xml", "a/", "' '"})
    void refusesNamesThatNoResourceHas(String header) {
        String message = assertThrows(IllegalArgumentException.class, () -> ResourcePatterns.parse(header))
                .getMessage();
        assertTrue(message.startsWith("Hearth-Application-Resources: '"), message);
        assertTrue(message.contains("(expected: "), message);
    }

    @Test
    void boundsTheNumberOfNames() {
        String header = "a,".repeat(ResourcePatterns.NAMES_MAX) + "a";
        assertThrows(IllegalArgumentException.class, () -> ResourcePatterns.parse(header));
    }
}
