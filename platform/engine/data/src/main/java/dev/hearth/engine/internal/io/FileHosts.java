package dev.hearth.engine.internal.io;

import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileBlock;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreTrait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts that store the input of each partition, by the number of bytes that they store. Bytes that a host has in memory
 * count twice. Asks the store once for each file. Created for one dataset; used by the calling thread.
 */
public final class FileHosts {
    private static final Logger LOG = LoggerFactory.getLogger(FileHosts.class);

    /** Upper bound on the preferred hosts of one partition. */
    private static final int HOSTS_MAX = 3;

    private final ApplicationStores stores;
    private final Map<String, List<FileBlock>> blocks = new HashMap<>(); // by path

    private FileHosts(ApplicationStores stores) {
        this.stores = stores;
    }

    /**
     * Returns the hosts of each partition, best first. Each partition is a list of splits. Empty if no store knows the
     * hosts of its blocks.
     */
    public static List<List<String>> of(List<List<FileSplit>> partitions, ApplicationStores stores) {
        FileHosts hosts = new FileHosts(stores);
        List<List<String>> found = partitions.stream().map(hosts::best).toList();
        return found.stream().allMatch(List::isEmpty) ? List.of() : found;
    }

    private List<String> best(List<FileSplit> partition) {
        Map<String, Long> bytes = new HashMap<>();
        for (FileSplit split : partition) {
            for (FileBlock block : blocks(split.path())) {
                long common = Math.min(split.until(), block.until()) - Math.max(split.from(), block.from());
                if (common > 0) {
                    block.hosts().forEach(host -> bytes.merge(host, common, Long::sum));
                    block.inMemory().forEach(host -> bytes.merge(host, common, Long::sum));
                }
            }
        }
        bytes.remove("localhost"); // each machine calls itself that
        List<String> hosts = new ArrayList<>(bytes.keySet());
        hosts.sort(Comparator.comparing((String host) -> -bytes.get(host)).thenComparing(Comparator.naturalOrder()));
        return List.copyOf(hosts.subList(0, Math.min(HOSTS_MAX, hosts.size())));
    }

    private List<FileBlock> blocks(String path) {
        return path.startsWith("/") ? List.of() : blocks.computeIfAbsent(path, this::ask);
    }

    private List<FileBlock> ask(String path) {
        FileName file = FileName.parse(path);
        FileStore store = stores.of(file);
        try {
            return store.traits().contains(StoreTrait.BLOCK_HOSTS) ? store.blocks(file, 0, Long.MAX_VALUE) : List.of();
        } catch (IOException failure) {
            LOG.warn("file {}: its hosts are unknown, {}; its tasks run anywhere", file, failure.toString());
            return List.of();
        }
    }
}
