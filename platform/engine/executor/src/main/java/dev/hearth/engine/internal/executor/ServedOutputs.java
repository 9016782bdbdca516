package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.shuffle.MapOutputAdopter;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import java.nio.file.Path;
import java.util.List;

/**
 * Where an executor writes map outputs for the shuffle service of its host, and how it hands them over. {@code files}
 * are the directories of their files. Immutable.
 */
public record ServedOutputs(List<Path> files, MapOutputAdopter adopter) {
    public ServedOutputs {
        files = List.copyOf(files);
    }

    /** The outputs of the executor {@code self}, as its worker has ordered. */
    static ServedOutputs of(ShuffleServiceOrders orders, ExecutorId self) {
        List<MapOutputDirectory> directories =
                orders.directories().stream().map(MapOutputDirectory::new).toList();
        return new ServedOutputs(
                directories.stream().map(MapOutputDirectory::files).toList(),
                new MapOutputAdopter(directories.get(0), self));
    }
}
