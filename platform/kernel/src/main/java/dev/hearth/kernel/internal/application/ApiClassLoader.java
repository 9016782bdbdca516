package dev.hearth.kernel.internal.application;

import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Parent class loader of every application. Provides the JDK and the classes of Hearth's API (the module platform/api),
 * but no resources of the platform. Immutable.
 */
final class ApiClassLoader extends ClassLoader {
    private static final String API = "dev.hearth.api.";

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader platform;

    ApiClassLoader(ClassLoader platform) {
        super("hearth-api", ClassLoader.getPlatformClassLoader());
        this.platform = platform;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith(API)) {
            return platform.loadClass(name);
        }
        throw new ClassNotFoundException(name);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        return Collections.emptyEnumeration();
    }
}
