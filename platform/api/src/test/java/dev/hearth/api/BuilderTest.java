package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A builder returns the name and settings that were set. */
class BuilderTest {
    private final HearthContext.Builder builder = HearthContext.builder()
            .name("count")
            .master("local[2]")
            .setting("spark.executor.memory", "2g")
            .setting("my.own", "1");

    @Test
    void saysWhatItWasGiven() {
        assertEquals("count", builder.name());
        assertEquals(Optional.of("local[2]"), builder.setting("hearth.master"));
        assertEquals(Optional.of("local[2]"), builder.setting("spark.master"));
        assertEquals(Optional.of("2g"), builder.setting("hearth.executor.memory"));
        assertEquals(Optional.of("1"), builder.setting("my.own"));
        assertEquals(Optional.empty(), builder.setting("hearth.executor.cores"));
        assertEquals(
                Map.of("hearth.master", "local[2]", "spark.executor.memory", "2g", "my.own", "1"), builder.settings());
    }

    @Test
    void givesWhatIsMissingAndTakesBack() {
        builder.settingIfMissing("hearth.executor.memory", "4g").settingIfMissing("hearth.executor.cores", "3");
        assertEquals(Optional.of("2g"), builder.setting("hearth.executor.memory"));
        assertEquals(Optional.of("3"), builder.setting("hearth.executor.cores"));
        assertEquals(Optional.empty(), builder.without("hearth.executor.memory").setting("spark.executor.memory"));
    }

    @Test
    void copiesAreBuildersOfTheirOwn() {
        HearthContext.Builder copy = builder.copy().name("other").setting("my.own", "2");
        assertEquals("other", copy.name());
        assertEquals(Optional.of("2"), copy.setting("my.own"));
        assertEquals("count", builder.name());
        assertEquals(Optional.of("1"), builder.setting("my.own"));
        builder.settings().clear();
        assertEquals(3, builder.settings().size());
    }
}
