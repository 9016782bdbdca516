package dev.hearth.standalone.internal.protocol;

import java.util.List;
import java.util.Map;

/** Driver to launch, with its main class and the resources that it needs. */
public record DriverSpec(
        String name,
        String mainClass,
        String applicationJar,
        List<String> arguments,
        Map<String, String> settings,
        int cores,
        int memoryMebibytes) {
    /** Omits the settings, because they may contain secrets. */
    @Override
    public String toString() {
        return "driver " + name + " of " + mainClass;
    }
}
