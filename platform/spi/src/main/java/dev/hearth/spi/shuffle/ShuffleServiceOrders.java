package dev.hearth.spi.shuffle;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Launch orders of an executor about the shuffle service of its host. {@code holder} stands for the service wherever map
 * outputs name the executor that has them; no executor has such an id. {@code scope} is the name of the scope in which
 * the service serves this application, at {@code address}. The executor writes its map outputs below {@code
 * directories}, and their index files below the first one. Immutable.
 */
public record ShuffleServiceOrders(ExecutorId holder, RpcAddress address, String scope, List<Path> directories) {
    /** Name of the order. Workers remove it from what an application sends. */
    public static final String KEY = "hearth.executor.shuffleService";

    private static final String PREFIX = "shuffle-";
    private static final String LINE = "\n";
    private static final int LINES_MIN = 4;

    public ShuffleServiceOrders {
        directories = List.copyOf(directories);
    }

    /** The id that stands for the service of the worker {@code worker}. */
    public static ExecutorId holderOf(String worker) {
        return new ExecutorId(PREFIX + worker);
    }

    /** Whether {@code holder} stands for a shuffle service, and not for an executor. */
    public static boolean isService(ExecutorId holder) {
        return holder.value().startsWith(PREFIX);
    }

    /** These orders as an entry of an executor's settings. */
    public Map<String, String> asSettings() {
        List<String> lines = new ArrayList<>(List.of(holder.value(), address.toString(), scope));
        directories.forEach(directory -> lines.add(directory.toString()));
        return Map.of(KEY, String.join(LINE, lines));
    }

    /** The orders among {@code settings}; empty if the executor keeps its map outputs itself. */
    public static Optional<ShuffleServiceOrders> find(Settings settings) {
        return settings.find(KEY).filter(text -> !text.isBlank()).map(ShuffleServiceOrders::parse);
    }

    private static ShuffleServiceOrders parse(String text) {
        List<String> lines = List.of(text.split(LINE, -1));
        Optional<RpcAddress> address = lines.size() < LINES_MIN ? Optional.empty() : RpcAddress.parse(lines.get(1));
        if (address.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("start parameter of the executor, " + KEY + ": '" + text
                    + "' (expected: lines with an id, an address, a scope and directories)");
        }
        return new ShuffleServiceOrders(
                new ExecutorId(lines.get(0)),
                address.get(),
                lines.get(2),
                lines.subList(LINES_MIN - 1, lines.size()).stream()
                        .map(Path::of)
                        .toList());
    }
}
