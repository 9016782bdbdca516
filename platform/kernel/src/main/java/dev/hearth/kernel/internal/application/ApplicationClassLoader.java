package dev.hearth.kernel.internal.application;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Class loader of one application. Loads the classes of Hearth's API, of packages imported from bundles, and of the
 * application's jars. Also provides the platform's slf4j, unless the jars contain an slf4j binding. Thread-safe; lives
 * as long as the application.
 */
final class ApplicationClassLoader extends URLClassLoader {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationClassLoader.class);
    /**
     * Packages of the platform. They are never loaded from an application's jars, because a second copy in one process
     * would be incompatible.
     */
    private static final List<String> PLATFORM = List.of(
            "dev.hearth.spi.",
            "dev.hearth.engine.",
            "dev.hearth.rpc.",
            "dev.hearth.kernel.",
            "dev.hearth.embedded.",
            "dev.hearth.local.",
            "dev.hearth.standalone.",
            "dev.hearth.submission.",
            "dev.hearth.shell.");

    private static final String LOGGING = "org.slf4j.";
    /** Resources that bind slf4j to an implementation, in slf4j 2 and slf4j 1. */
    private static final List<String> LOGGING_BINDINGS =
            List.of("META-INF/services/org.slf4j.spi.SLF4JServiceProvider", "org/slf4j/impl/StaticLoggerBinder.class");

    private static final AtomicLong OPENED = new AtomicLong();

    static {
        registerAsParallelCapable();
    }

    private final String application;
    private final ClassLoader platform;
    private final ImportedPackages imported;
    private final boolean bringsLogging;
    // jars whose problem was logged already, to log each only once
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    ApplicationClassLoader(
            String application, URL[] jars, ApiClassLoader parent, ClassLoader platform, ImportedPackages imported) {
        // a unique loader name, which appears in stack traces
        super(application + "#" + OPENED.incrementAndGet(), jars, parent);
        this.application = application;
        this.platform = platform;
        this.imported = imported;
        bringsLogging = LOGGING_BINDINGS.stream().anyMatch(binding -> super.findResource(binding) != null);
    }

    String application() {
        return application;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        for (String ours : PLATFORM) {
            if (name.startsWith(ours)) {
                warn(name);
                throw new ClassNotFoundException(name + " belongs to the platform and is not for applications");
            }
        }
        Optional<ClassLoader> provider = imported.provider(upTo(name, '.'));
        if (provider.isPresent()) {
            return provider.get().loadClass(name);
        }
        if (!bringsLogging && name.startsWith(LOGGING) && platform.getResource(path(name)) != null) {
            return platform.loadClass(name);
        }
        return super.findClass(name);
    }

    @Override
    public @Nullable URL findResource(String name) {
        Optional<ClassLoader> provider = imported.provider(upTo(name, '/').replace('/', '.'));
        if (provider.isPresent()) {
            return provider.get().getResource(name);
        }
        URL own = super.findResource(name);
        return own == null ? lent(name).stream().findFirst().orElse(null) : own;
    }

    private List<URL> lent(String name) {
        try {
            return imported.resources().find(name);
        } catch (IOException unreadable) {
            LOG.warn("application {}: resource {} of a bundle cannot be read", application, name, unreadable);
            return List.of();
        }
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        Optional<ClassLoader> provider = imported.provider(upTo(name, '/').replace('/', '.'));
        if (provider.isPresent()) {
            return provider.get().getResources(name);
        }
        List<URL> all = Collections.list(super.findResources(name));
        all.addAll(imported.resources().find(name));
        return Collections.enumeration(all);
    }

    /**
     * Whether code of the application has used the class {@code className}, so that the JVM has asked this loader for
     * the class.
     */
    boolean refersTo(String className) {
        return findLoadedClass(className) != null;
    }

    /**
     * Defines a copy of the kernel class {@code type} in this loader, from its class file {@code code}. Some JDK
     * operations, such as deregistering a JDBC driver, are allowed only to classes of this loader.
     */
    Class<?> adopt(Class<?> type, byte[] code) {
        synchronized (getClassLoadingLock(type.getName())) {
            Class<?> adopted = findLoadedClass(type.getName());
            return adopted == null ? defineClass(type.getName(), code, 0, code.length) : adopted;
        }
    }

    private void warn(String name) {
        URL found = super.findResource(path(name));
        if (found != null) {
            String entry = found.toString();
            int inner = entry.indexOf("!/");
            String jar = inner < 0 ? entry : entry.substring("jar:".length(), inner);
            if (warned.add(jar)) {
                LOG.warn(
                        "application {}: {} holds {} (expected: none of the platform's own classes but"
                                + " dev.hearth.api); these classes are ignored; remove them from the jar",
                        application,
                        jar,
                        name);
            }
        }
    }

    private static String path(String className) {
        return className.replace('.', '/') + ".class";
    }

    private static String upTo(String name, char last) {
        int end = name.lastIndexOf(last);
        return end < 0 ? "" : name.substring(0, end);
    }
}
