package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultSettingsTest {
    @Test
    void takesBlanksAndEqualsSigns() {
        Settings settings = DefaultSettings.parse(
                List.of("# comment", "", "hearth.a  one two ", " hearth.b=x=y", "hearth.c = ", "hearth.d\t1"),
                "defaults");
        assertEquals(
                "{hearth.a=one two, hearth.b=x=y, hearth.c=, hearth.d=1}",
                settings.values().toString());
        assertEquals(Optional.of("defaults line 4"), settings.origin("hearth.b"));
    }

    @Test
    void prefersOurOwnKeyToItsAliasWhereverItStands() {
        Settings settings =
                DefaultSettings.parse(List.of("hearth.master a", "spark.master b", "spark.other c"), "defaults");
        assertEquals("{hearth.master=a, hearth.other=c}", settings.values().toString());
    }

    @Test
    void namesEveryBadLine() {
        HearthException failure = assertThrows(
                HearthException.class, () -> DefaultSettings.parse(List.of("hearth.a 1", "lonely", "=x"), "defaults"));
        assertEquals("BAD_SETTING", failure.code());
        assertTrue(failure.getMessage().startsWith("defaults line 2: 'lonely' (expected: "), failure.getMessage());
        assertTrue(failure.getMessage().contains("\n  defaults line 3: '=x'"), failure.getMessage());
    }

    @Test
    void needsNoFileButAReadableOne(@TempDir Path directory) throws IOException {
        assertEquals(0, DefaultSettings.read(directory.resolve("none")).values().size());
        Path latin = Files.write(directory.resolve("latin"), new byte[] {'a', ' ', (byte) 0xFC, '\n'});
        HearthException failure = assertThrows(HearthException.class, () -> DefaultSettings.read(latin));
        assertTrue(failure.getMessage().contains("UTF-8"), failure.getMessage());
    }
}
