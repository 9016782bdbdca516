package dev.hearth.embedded;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Class loader of one application in this process. It looks into the application's jars first, so that its libraries do
 * not meet those of the program; Hearth's own classes and the logging API are always those of the program.
 */
final class JarsFirstLoader extends URLClassLoader {
    private static final List<String> SHARED = List.of(
            "java.",
            "org.slf4j.",
            "dev.hearth.api.",
            "dev.hearth.spi.",
            "dev.hearth.engine.",
            "dev.hearth.status.",
            "dev.hearth.embedded.",
            "dev.hearth.local.",
            "dev.hearth.submission.",
            "dev.hearth.eventlog.");

    private static final AtomicInteger OPENED = new AtomicInteger();

    static {
        registerAsParallelCapable();
    }

    JarsFirstLoader(String application, URL[] jars, ClassLoader program) {
        // a unique loader name, which appears in stack traces
        super(application + "#" + OPENED.incrementAndGet(), jars, program);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (SHARED.stream().anyMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) {
                try {
                    found = findClass(name);
                } catch (ClassNotFoundException ofTheProgram) {
                    found = super.loadClass(name, false);
                }
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }
}
