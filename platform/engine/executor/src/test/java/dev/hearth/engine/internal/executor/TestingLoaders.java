package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records calls; fails to open, close or start bundles on request. */
final class TestingLoaders implements ApplicationLoaders {
    final List<String> asked = new ArrayList<>();
    final List<Path> opened = new ArrayList<>();
    Optional<Path> target = Optional.empty();

    @Nullable
    HearthException failure;

    @Nullable
    Error opening;

    @Nullable
    Error closing;

    @Override
    public ApplicationLoader open(String application, List<Path> jars) {
        if (opening != null) {
            throw opening;
        }
        asked.add("opened " + application);
        opened.addAll(jars);
        return new ApplicationLoader() {
            @Override
            public ClassLoader classes() {
                return TestingLoaders.class.getClassLoader();
            }

            @Override
            public List<Path> jars() {
                return List.of();
            }

            @Override
            public void close() {
                if (closing != null) {
                    throw closing;
                }
            }
        };
    }

    @Override
    public void start(List<FrozenBundle> frozen, BundleSource source) {
        if (failure != null) {
            throw failure;
        }
        asked.add("started " + frozen);
        target.ifPresent(path -> {
            try {
                source.fetch(frozen.get(0), path);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        });
    }
}
