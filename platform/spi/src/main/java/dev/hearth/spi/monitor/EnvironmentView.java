package dev.hearth.spi.monitor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings, system properties and class path of an application, sorted by key, with secrets hidden. Immutable. */
public record EnvironmentView(Map<String, String> settings, Map<String, String> system, List<String> classPath) {
    public static final EnvironmentView UNKNOWN = new EnvironmentView(Map.of(), Map.of(), List.of());

    public EnvironmentView {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
        system = Collections.unmodifiableMap(new TreeMap<>(system));
        classPath = List.copyOf(classPath);
    }
}
