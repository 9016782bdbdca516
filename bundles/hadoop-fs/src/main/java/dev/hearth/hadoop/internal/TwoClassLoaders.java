package dev.hearth.hadoop.internal;

import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * Class loader of Hadoop, followed by that of an application, which may bring file systems of its own. Loads no class
 * itself; lives as long as the application.
 */
final class TwoClassLoaders extends ClassLoader {
    private final ClassLoader second;

    TwoClassLoaders(ClassLoader first, ClassLoader second) {
        super("hadoop-and-application", first);
        this.second = second;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        return second.loadClass(name);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return second.getResource(name);
    }
}
