package dev.hearth.hadoop;

import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Values of a configuration that differ from Hadoop's defaults. They travel with the tasks that use them, so that
 * executors need no site files. Immutable.
 */
final class ConfigurationValues implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final String DEFAULTS = "-default.xml";
    /** Hadoop's defaults by class loader, as long as a task uses them: they are parsed from large files. */
    private static final Map<ClassLoader, WeakReference<Configuration>> BASES = new WeakHashMap<>();

    private final TreeMap<String, String> values = new TreeMap<>();

    ConfigurationValues(Configuration configuration) {
        for (Map.Entry<String, String> entry : configuration) {
            String[] sources = configuration.getPropertySources(entry.getKey());
            if (sources == null || sources.length == 0 || !sources[sources.length - 1].endsWith(DEFAULTS)) {
                values.put(entry.getKey(), entry.getValue());
            }
        }
    }

    /** A new configuration with these values, which loads classes by the context class loader. */
    Configuration load() {
        Configuration loaded = new Configuration(base(Thread.currentThread().getContextClassLoader()));
        values.forEach(loaded::set);
        return loaded;
    }

    private static Configuration base(ClassLoader classes) {
        synchronized (BASES) {
            WeakReference<Configuration> known = BASES.get(classes);
            Configuration base = known == null ? null : known.get();
            if (base == null) {
                base = new Configuration();
                base.size(); // parses the files
                BASES.put(classes, new WeakReference<>(base));
            }
            return base;
        }
    }
}
