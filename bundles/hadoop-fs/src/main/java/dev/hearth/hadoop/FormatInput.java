package dev.hearth.hadoop;

import dev.hearth.api.Placed;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.SplitLocationInfo;
import org.jspecify.annotations.Nullable;

/** An input format with its configuration, of one of the two generations of Hadoop's API. Immutable; travels to tasks. */
abstract class FormatInput<K, V> implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final String LOCALHOST = "localhost";

    private final ConfigurationValues values;
    private transient volatile @Nullable Configuration loaded; // keeps the parsed defaults as long as this object lives

    FormatInput(Configuration configuration) {
        this.values = new ConfigurationValues(configuration);
    }

    /** A configuration for one reader, which may change it. */
    final Configuration configuration() {
        if (loaded == null) {
            loaded = values.load();
        }
        return new Configuration(Objects.requireNonNull(loaded));
    }

    /** The splits, with the hosts that store them; {@code minSplits} is a hint. Runs on the driver. */
    abstract List<Placed<SplitBytes>> splits(int minSplits, boolean withEmpty) throws IOException, InterruptedException;

    /** Opens one split. Runs in a task. */
    abstract Records<K, V> open(Object split, Configuration configuration, AttemptIds ids)
            throws IOException, InterruptedException;

    /** Hosts that have the split in memory come first; the name of the own machine says nothing to others. */
    static List<String> hosts(SplitLocationInfo @Nullable [] infos, String[] locations) {
        List<String> hosts = new ArrayList<>();
        if (infos != null) {
            Arrays.stream(infos)
                    .filter(SplitLocationInfo::isInMemory)
                    .map(SplitLocationInfo::getLocation)
                    .forEach(hosts::add);
        }
        hosts.addAll(Arrays.asList(locations));
        return hosts.stream().filter(host -> !host.equals(LOCALHOST)).distinct().toList();
    }
}
