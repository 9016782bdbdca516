package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/** Loads the test applications again, as if they came from a jar. */
public final class OwnLoader extends URLClassLoader implements ApplicationLoader {
    private static final String OWN = "dev.hearth.submission.applications.";

    private final List<Path> jars;
    private boolean closed;

    public OwnLoader(List<Path> jars) {
        super("application", new URL[] {testClasses()}, OwnLoader.class.getClassLoader());
        this.jars = List.copyOf(jars);
    }

    private static URL testClasses() {
        return OwnLoader.class.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(OWN)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    public ClassLoader classes() {
        return this;
    }

    @Override
    public List<Path> jars() {
        return jars;
    }

    @Override
    public void close() {
        closed = true;
        try {
            super.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    boolean closed() {
        return closed;
    }
}
