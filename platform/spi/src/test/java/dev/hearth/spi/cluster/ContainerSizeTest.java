package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Memory of a process on a cluster that limits it, as in Spark. */
class ContainerSizeTest {
    private static final int MEMORY = 2048;

    @Test
    void containsOffHeapMemory() {
        assertEquals(MEMORY + 1024 + 384, new ContainerSize(MEMORY, 1024, 384).total());
    }

    @Test
    void addsTheOverheadFactor() {
        assertEquals(MEMORY + MEMORY / 2, size("memoryOverheadFactor", "0.5"));
    }

    @Test
    void prefersAnExplicitOverheadToTheFactor() {
        assertEquals(MEMORY + 819, size("memoryOverheadFactor", "0.5", "memoryOverhead", "819m"));
    }

    @Test
    void addsTheLeastOverhead() {
        assertEquals(MEMORY + 384, size());
        assertEquals(MEMORY + 500, size("minMemoryOverhead", "500m"));
    }

    @Test
    void prefersAnExplicitOverheadToTheLeastOne() {
        assertEquals(MEMORY + 100, size("minMemoryOverhead", "500m", "memoryOverhead", "100m"));
    }

    private static long size(String... keysAndValues) {
        Map<String, String> settings = new LinkedHashMap<>(Map.of("hearth.executor.memory", MEMORY + "m"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            settings.put("hearth.executor." + keysAndValues[i], keysAndValues[i + 1]);
        }
        SettingsReader in = new SettingsReader(Settings.empty().with("test", settings));
        ContainerSize size = ContainerSize.ofExecutor(in);
        in.finish();
        return size.total();
    }
}
