package dev.hearth.yarn.internal.hadoop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Racks of hosts. Hadoop's mapping looks names up in DNS, which may take minutes, so it is asked on threads of its own; until
 * it has answered, a host has no known rack. Without a configured mapping, all hosts are in the default rack, and nothing
 * is looked up. Any thread may call.
 */
final class KnownRacks {
    private static final Logger LOG = LoggerFactory.getLogger(KnownRacks.class);
    /** Maximum number of hosts whose racks are remembered. */
    private static final int HOSTS_MAX = 20_000;

    private final Optional<DNSToSwitchMapping> mapping;
    private final ExecutorService lookups;
    private final Map<String, String> racks = new ConcurrentHashMap<>();
    private final Map<String, Boolean> asked = new ConcurrentHashMap<>();

    KnownRacks(Optional<DNSToSwitchMapping> mapping, ExecutorService lookups) {
        this.mapping = mapping;
        this.lookups = lookups;
    }

    /** The mapping that {@code configuration} names; empty if it knows no racks. */
    static Optional<DNSToSwitchMapping> mapping(Configuration configuration) {
        Class<? extends DNSToSwitchMapping> type = configuration.getClass(
                CommonConfigurationKeys.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
                ScriptBasedMapping.class,
                DNSToSwitchMapping.class);
        boolean isScript = type.equals(ScriptBasedMapping.class);
        boolean hasScript = !configuration
                .getTrimmed(CommonConfigurationKeys.NET_TOPOLOGY_SCRIPT_FILE_NAME_KEY, "")
                .isEmpty();
        return isScript && !hasScript
                ? Optional.empty()
                : Optional.of(ReflectionUtils.newInstance(type, configuration));
    }

    /** The rack of {@code host}, for people and for the scheduler of tasks; empty if there is none, or it is not known yet. */
    String rack(String host) {
        String found = known(host).orElse("");
        return found.equals(NetworkTopology.DEFAULT_RACK) ? "" : found;
    }

    /** The rack of {@code host} for requests; empty if it is not known yet, and is looked up. */
    Optional<String> known(String host) {
        if (mapping.isEmpty()) {
            return Optional.of(NetworkTopology.DEFAULT_RACK);
        }
        String rack = racks.get(host);
        if (rack == null && asked.size() < HOSTS_MAX && asked.putIfAbsent(host, true) == null) {
            lookups.execute(() -> lookUp(host, mapping.get()));
        }
        return Optional.ofNullable(rack);
    }

    private void lookUp(String host, DNSToSwitchMapping names) {
        try {
            List<String> found = names.resolve(List.of(host));
            racks.put(host, found == null || found.isEmpty() ? NetworkTopology.DEFAULT_RACK : found.get(0));
        } catch (RuntimeException failure) { // a script of the cluster's administrator
            LOG.warn("rack of host {}: {} (expected: a name); taken for the default one", host, failure.toString());
            racks.put(host, NetworkTopology.DEFAULT_RACK);
        }
    }

    /** Racks of those {@code hosts} that are known. */
    Map<String, String> of(Collection<String> hosts) {
        Map<String, String> found = new LinkedHashMap<>();
        new ArrayList<>(hosts).forEach(host -> known(host).ifPresent(rack -> found.put(host, rack)));
        return found;
    }
}
