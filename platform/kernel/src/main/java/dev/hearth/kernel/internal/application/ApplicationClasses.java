package dev.hearth.kernel.internal.application;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes of one application: the api, its own jars, and slf4j where its jars bring none. Safe for any thread; lives
 * as long as the application.
 */
final class ApplicationClasses extends URLClassLoader {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationClasses.class);
    /** Ours, and never to be had from an application's jars: two copies of them in one process would not fit. */
    private static final List<String> PLATFORM = List.of(
            "dev.hearth.spi.",
            "dev.hearth.engine.",
            "dev.hearth.rpc.",
            "dev.hearth.kernel.",
            "dev.hearth.embedded.",
            "dev.hearth.submission.",
            "dev.hearth.shell.");

    private static final String LOGGING = "org.slf4j.";
    private static final String LOGGING_PROBE = "org/slf4j/LoggerFactory.class";

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader platform;
    private final boolean bringsLogging;
    private final Set<String> warned = ConcurrentHashMap.newKeySet(); // jars; asked for membership only

    ApplicationClasses(String application, URL[] jars, ApiView parent, ClassLoader platform) {
        super(application, jars, parent);
        this.platform = platform;
        bringsLogging = findResource(LOGGING_PROBE) != null;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        for (String ours : PLATFORM) {
            if (name.startsWith(ours)) {
                warn(name);
                throw new ClassNotFoundException(name + " belongs to the platform and is not for applications");
            }
        }
        if (!bringsLogging && name.startsWith(LOGGING) && findResource(path(name)) == null) {
            return platform.loadClass(name);
        }
        return super.findClass(name);
    }

    private void warn(String name) {
        URL found = findResource(path(name));
        if (found != null) {
            String entry = found.toString();
            int inner = entry.indexOf("!/");
            String jar = inner < 0 ? entry : entry.substring("jar:".length(), inner);
            if (warned.add(jar)) {
                LOG.warn(
                        "application {}: {} holds {} (expected: none of the platform's own classes but"
                                + " dev.hearth.api); ignored, take them out of the jar",
                        getName(),
                        jar,
                        name);
            }
        }
    }

    private static String path(String className) {
        return className.replace('.', '/') + ".class";
    }
}
