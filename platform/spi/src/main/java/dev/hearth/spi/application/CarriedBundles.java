package dev.hearth.spi.application;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentDirectories;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bundles that a driver on a cluster starts before it asks for its cluster manager, as a part of its launch orders. The
 * cluster manager that starts the driver writes them. The jars are in {@code directories}, paths on the driver's machine
 * ({@link ContentDirectories}). Immutable.
 */
public record CarriedBundles(List<FrozenBundle> bundles, List<Path> directories) {
    private static final String BUNDLES = "hearth.submission.bundles";
    private static final String CONTENTS = "hearth.submission.contents";

    public CarriedBundles {
        bundles = List.copyOf(bundles);
        directories = List.copyOf(directories);
    }

    /** The launch orders {@code orders} with these bundles. */
    public Map<String, String> in(Map<String, String> orders) {
        Map<String, String> carrying = new LinkedHashMap<>(orders);
        carrying.put(BUNDLES, bundles.stream().map(FrozenBundle::text).collect(Collectors.joining(",")));
        carrying.put(CONTENTS, ContentDirectories.order(directories));
        return carrying;
    }

    /** Reads the bundles from the launch orders of this driver process; fails with {@code BAD_ARGUMENT}. */
    public static CarriedBundles from(Map<String, String> orders) {
        List<FrozenBundle> bundles = Stream.of(orders.getOrDefault(BUNDLES, "").split(",", -1))
                .filter(text -> !text.isBlank())
                .map(CarriedBundles::bundle)
                .toList();
        return new CarriedBundles(bundles, ContentDirectories.ofOrder(CONTENTS, orders.getOrDefault(CONTENTS, "")));
    }

    private static FrozenBundle bundle(String text) {
        try {
            return FrozenBundle.parse(text);
        } catch (HearthException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "start parameter of the driver, " + BUNDLES + ": " + malformed.getMessage(), malformed);
        }
    }
}
