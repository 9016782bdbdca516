package dev.hearth.spi.storage;

import java.util.List;

/**
 * Part of a file that the storage keeps as one block, from byte {@code from} to before byte {@code until}.
 * {@code hosts} are the names of the hosts that store it; {@code inMemory} are those of them that have it in memory.
 * Immutable.
 */
public record FileBlock(long from, long until, List<String> hosts, List<String> inMemory) {
    public FileBlock {
        if (from < 0 || until < from) {
            throw new IllegalArgumentException(
                    "block: from " + from + " until " + until + " (expected: 0 <= from <= until)");
        }
        hosts = List.copyOf(hosts);
        inMemory = List.copyOf(inMemory);
    }
}
