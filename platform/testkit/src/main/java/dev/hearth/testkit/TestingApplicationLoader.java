package dev.hearth.testkit;

import dev.hearth.spi.application.ApplicationLoader;
import java.nio.file.Path;
import java.util.List;

/** Application loader whose class loader is {@code classes}, that of a test, and which has no jars. */
public record TestingApplicationLoader(ClassLoader classes) implements ApplicationLoader {
    public TestingApplicationLoader(Class<?> test) {
        this(test.getClassLoader());
    }

    @Override
    public List<Path> jars() {
        return List.of();
    }

    @Override
    public void close() {
        // nothing to close: the class loader belongs to the test
    }
}
