package dev.hearth.hazookeeper.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Names of the nodes of one cluster, below the directory {@code directory}. */
record ZnodePaths(String directory) {
    private static final String BATCH = "batch-";

    /** Content of {@link #snapshot()} before there is one. */
    static final byte[] NO_SNAPSHOT = new SnapshotName("-", 0, 1).bytes();

    String leader() {
        return directory + "/leader";
    }

    String epoch() {
        return directory + "/epoch";
    }

    String facts() {
        return directory + "/facts";
    }

    String batch(long number) {
        return facts() + "/" + BATCH + String.format(Locale.ROOT, "%010d", number);
    }

    /** The number of the batch with the name {@code name}; empty if it is no batch. */
    static OptionalLong batchNumber(String name) {
        String digits = name.startsWith(BATCH) ? name.substring(BATCH.length()) : "";
        return digits.isEmpty() || !digits.chars().allMatch(Character::isDigit)
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(digits));
    }

    String snapshot() {
        return directory + "/snapshot";
    }

    String snapshots() {
        return directory + "/snapshots";
    }

    String snapshots(String name) {
        return snapshots() + "/" + name;
    }

    String part(String name, int number) {
        return snapshots(name) + "/part-" + String.format(Locale.ROOT, "%06d", number);
    }

    /** Creation of the nodes that always exist, parents first. */
    List<ZnodeChange> skeleton() {
        List<ZnodeChange> nodes = new ArrayList<>();
        for (int slash = directory.indexOf('/', 1); slash > 0; slash = directory.indexOf('/', slash + 1)) {
            nodes.add(empty(directory.substring(0, slash)));
        }
        nodes.add(empty(directory));
        nodes.add(empty(facts()));
        nodes.add(empty(snapshots()));
        nodes.add(new ZnodeChange.Create(snapshot(), NO_SNAPSHOT, false));
        nodes.add(empty(epoch()));
        return nodes;
    }

    static ZnodeChange empty(String path) {
        return new ZnodeChange.Create(path, new byte[0], false);
    }

    /** The snapshot {@code name} with {@code parts} parts, which replaces all batches before number {@code first}. */
    record SnapshotName(String name, int parts, long first) {
        private static final String FORM = "1";

        /** The name of the snapshot number {@code number} of the leader with the epoch {@code epoch}. */
        static String of(int epoch, int number) {
            return epoch + "-" + number;
        }

        /** Whether {@code name} is that of a snapshot that the leader with the epoch {@code epoch} has begun after {@code published}. */
        static boolean isOf(int epoch, String name, SnapshotName published) {
            String own = epoch + "-";
            return name.startsWith(own)
                    && (!published.name().startsWith(own) || number(name) > number(published.name()));
        }

        private static int number(String name) {
            return Integer.parseInt(name.substring(name.indexOf('-') + 1));
        }

        byte[] bytes() {
            return String.join(" ", FORM, name, String.valueOf(parts), String.valueOf(first))
                    .getBytes(StandardCharsets.US_ASCII);
        }

        /** Reads what {@link #bytes()} returns. Fails with {@code IllegalArgumentException} if it is something else. */
        static SnapshotName read(byte[] content) {
            String[] words = new String(content, StandardCharsets.US_ASCII).split(" ", -1);
            if (words.length != 4 || !words[0].equals(FORM)) {
                throw new IllegalArgumentException(new String(content, StandardCharsets.US_ASCII));
            }
            return new SnapshotName(words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]));
        }
    }
}
