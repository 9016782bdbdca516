package dev.hearth.spi.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Source of the racks of hosts, for clusters whose network is faster within a rack. A service; the engine asks the one
 * with the highest service ranking, unless its settings name a script or a table. Called on a thread of its own, so it
 * may block.
 */
@ConsumerType
public interface RackResolver {
    /**
     * Racks of these hosts, by host. The rack of a host that the result omits is unknown. The engine asks once for each
     * host; after a failure it asks again later.
     */
    Map<String, String> racks(List<String> hosts) throws IOException, InterruptedException;
}
