package dev.hearth.kernel.internal.application;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
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
 * The classes of one application: the api, packages of bundles that it asked for, its own jars, and slf4j where its jars
 * bring none that is bound to a logging of their own. Safe for any thread; lives as long as the application.
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
            "dev.hearth.local.",
            "dev.hearth.standalone.",
            "dev.hearth.submission.",
            "dev.hearth.shell.");

    private static final String LOGGING = "org.slf4j.";
    /** What binds slf4j: of its second line, and of the first. */
    private static final List<String> LOGGING_BINDINGS =
            List.of("META-INF/services/org.slf4j.spi.SLF4JServiceProvider", "org/slf4j/impl/StaticLoggerBinder.class");

    private static final AtomicLong OPENED = new AtomicLong();

    static {
        registerAsParallelCapable();
    }

    private final String application;
    private final ClassLoader platform;
    private final LentPackages lent;
    private final boolean bringsLogging;
    private final Set<String> warned = ConcurrentHashMap.newKeySet(); // jars; asked for membership only

    ApplicationClasses(String application, URL[] jars, ApiView parent, ClassLoader platform, LentPackages lent) {
        super(application + "#" + OPENED.incrementAndGet(), jars, parent); // told apart in stack traces
        this.application = application;
        this.platform = platform;
        this.lent = lent;
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
        Optional<ClassLoader> lender = lent.lender(upTo(name, '.'));
        if (lender.isPresent()) {
            return lender.get().loadClass(name);
        }
        if (!bringsLogging && name.startsWith(LOGGING) && platform.getResource(path(name)) != null) {
            return platform.loadClass(name);
        }
        return super.findClass(name);
    }

    @Override
    public @Nullable URL findResource(String name) {
        Optional<ClassLoader> lender = lent.lender(upTo(name, '/').replace('/', '.'));
        return lender.isPresent() ? lender.get().getResource(name) : super.findResource(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        Optional<ClassLoader> lender = lent.lender(upTo(name, '/').replace('/', '.'));
        return lender.isPresent() ? lender.get().getResources(name) : super.findResources(name);
    }

    /** Whether code of the application has ever referred to a class by this name, its own or another's. */
    boolean refersTo(String className) {
        return findLoadedClass(className) != null;
    }

    /** Makes a class of the kernel anew as one of the application's own, for what the JDK grants to those alone. */
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
                                + " dev.hearth.api); ignored, take them out of the jar",
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
