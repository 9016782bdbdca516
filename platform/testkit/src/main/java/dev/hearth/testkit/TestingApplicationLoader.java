package dev.hearth.testkit;

import dev.hearth.spi.application.ApplicationLoader;
import java.nio.file.Path;
import java.util.List;

/** Application loader over the classes of a test. */
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
        // the test's classes stay loaded
    }
}
