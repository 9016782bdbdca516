package dev.hearth.hadoopclient.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Names of classes for the archive of classes. */
class StartClassesTest {
    @Test
    void namesClassesOfThisHadoopAlone() throws IOException {
        List<String> names = StartClasses.names();
        ClassLoader loader = StartClassesTest.class.getClassLoader();
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            boolean isHadoops = name.startsWith("org.apache.hadoop.");
            if (isHadoops && loader.getResource(name.replace('.', '/') + ".class") == null) {
                missing.add(name);
            }
        }
        assertEquals(List.of(), missing, "note the classes of a start again, as docs/adr/0080 says");
        assertTrue(names.containsAll(StartClasses.ofSubmitters()), "those of submitters are among them");
        assertTrue(StartClasses.ofSubmitters().size() < names.size(), "an archive of their own is smaller");
        assertEquals(names.size(), new LinkedHashSet<>(names).size());
        assertTrue(names.contains("org.apache.hadoop.conf.Configuration"), "what every start needs");
    }

    @Test
    void loadsWhatIsThere() {
        List<String> names = List.of("java.util.ArrayDeque", "org.apache.hadoop.NoSuchClass", "no class");
        assertEquals(1, StartClasses.load(names, StartClassesTest.class.getClassLoader()));
    }

    @Test
    void namesTheClassesOfAJar() throws IOException {
        List<String> names = StartClasses.ofJar(Logger.class);
        assertTrue(names.contains("org.slf4j.helpers.NOPLogger"), names::toString);
        assertEquals(List.of(), StartClasses.ofJar(StartClassesTest.class), "a directory");
        assertEquals(List.of(), StartClasses.ofJar(String.class), "of Java itself");
    }
}
