package dev.hearth.standalone.internal.protocol;

import java.util.List;
import java.util.Map;

/** A driver to place: what it runs, and what it needs of a worker. */
public record DriverSpec(
        String name,
        String mainClass,
        String applicationJar,
        List<String> arguments,
        Map<String, String> settings,
        int cores,
        int memoryMebibytes) {
    /** Says nothing of the settings, as there may be secrets among them. */
    @Override
    public String toString() {
        return "driver " + name + " of " + mainClass;
    }
}
