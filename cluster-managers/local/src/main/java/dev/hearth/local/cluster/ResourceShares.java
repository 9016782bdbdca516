package dev.hearth.local.cluster;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ResourceDiscovery;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.error.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Addresses of this machine's resources, divided among the executors of a local cluster: executor with share 0 gets the
 * first ones, and so on. An address belongs to one share. Immutable.
 */
record ResourceShares(Map<String, ResourceRequest> requests, Map<String, ResourceInformation> found) {
    static final ResourceShares NONE = new ResourceShares(Map.of(), Map.of());

    /**
     * Finds the addresses for {@code executors} executors that request {@code requests} each, by their settings or
     * discovery scripts. May block. Fails with {@code RESOURCE_MISSING} if this machine has too few.
     */
    static ResourceShares find(Map<String, ResourceRequest> requests, int executors) {
        Map<String, ResourceRequest> all = new LinkedHashMap<>();
        requests.forEach((name, request) -> all.put(
                name,
                new ResourceRequest(
                        name,
                        (int) Math.min(Integer.MAX_VALUE, (long) request.amount() * executors),
                        request.addresses().stream().distinct().toList(),
                        request.discoveryScript(),
                        request.vendor())));
        String owner = "local cluster of " + Quantity.of(executors, "executor");
        return new ResourceShares(requests, ResourceDiscovery.find(owner, all, Map.of()));
    }

    /** Settings with the addresses of one share. */
    Map<String, String> settings(int share) {
        Map<String, ResourceInformation> own = new LinkedHashMap<>();
        found.forEach((name, resource) -> {
            int amount = requests.get(name).amount();
            own.put(
                    name,
                    new ResourceInformation(name, resource.addresses().subList(share * amount, (share + 1) * amount)));
        });
        return ResourceRequest.chosenForExecutor(own);
    }
}
