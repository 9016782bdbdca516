package dev.hearth.itests.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The layers of the engine, from the bottom up: one Maven module each, packed as one bundle. A layer can only name layers
 * above it in this table, so the table holds no cycle. A new package of the engine is one word here.
 */
@SuppressWarnings("ImmutableEnumChecker") // its lists are made by List.of and Stream.toList
enum EngineLayer {
    CLOSURE("closure", on(), "closure"),
    DATA(
            "data",
            on(CLOSURE),
            "aggregate",
            "column",
            "compress",
            "disk",
            "encryption",
            "filecodec",
            "io",
            "memory",
            "serializer",
            "shuffle",
            "sort",
            "spill",
            "storage"),
    SCHEDULING("scheduling", on(CLOSURE), "allocation", "barrier", "commit", "dag", "plan", "resource", "scheduler"),
    DATASET("dataset", on(CLOSURE, DATA, SCHEDULING), "dataset"),
    EXECUTOR("executor", on(CLOSURE, DATA, SCHEDULING), "attachments", "executor", "fetch", "protocol"),
    DRIVER("driver", on(CLOSURE, DATA, SCHEDULING, DATASET, EXECUTOR), "driver");

    static final String INTERNAL = ProjectModule.ENGINE.root() + ".internal.";

    private final String directory;
    private final List<EngineLayer> layers;
    private final List<String> packages;

    EngineLayer(String directory, List<EngineLayer> layers, String... packages) {
        this.directory = directory;
        this.layers = layers;
        this.packages = List.of(packages);
    }

    private static List<EngineLayer> on(EngineLayer... layers) {
        return List.of(layers);
    }

    /** The layer's Maven module. */
    String directory() {
        return ProjectModule.ENGINE.directory() + "/" + directory;
    }

    /** The layers that this one may use. */
    List<EngineLayer> layers() {
        return layers;
    }

    /** The layer's packages with all below them, as patterns of ArchUnit. */
    String[] packages() {
        return packages.stream().map(name -> INTERNAL + name + "..").toArray(String[]::new);
    }

    /** The packages of all layers that this one may not use, as patterns of ArchUnit. */
    String[] forbidden() {
        return Arrays.stream(values())
                .filter(layer -> layer != this && !layers.contains(layer))
                .flatMap(layer -> Arrays.stream(layer.packages()))
                .toArray(String[]::new);
    }

    /** The directories of the sources of {@code layer} in the tree. */
    Stream<String> sources() {
        Stream<String> own = packages.stream().map(name -> (INTERNAL + name).replace('.', '/'));
        Stream<String> wiring =
                this == DRIVER ? Stream.of((ProjectModule.ENGINE.root() + ".wiring").replace('.', '/')) : Stream.of();
        return Stream.concat(own, wiring).map(path -> directory() + "/src/main/java/" + path + "/");
    }

    @Override
    public String toString() {
        return directory();
    }
}
