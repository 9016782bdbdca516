package dev.hearth.api.resource;

/**
 * The amount of one resource that each executor of a profile has: {@code cores}, {@code memory} and {@code
 * memoryOverhead} in MiB, or a number of addresses of a resource such as {@code gpu}. {@code discoveryScript} is a
 * program on the executor's machine that finds the addresses; {@code vendor} names the vendor on Kubernetes. Both may
 * be empty.
 */
public record ExecutorResourceRequest(String resourceName, long amount, String discoveryScript, String vendor) {
    public static final String CORES = "cores";
    public static final String MEMORY = "memory";
    public static final String MEMORY_OVERHEAD = "memoryOverhead";

    public ExecutorResourceRequest {
        ResourceNames.require(resourceName);
        boolean built = ResourceNames.isBuiltIn(resourceName);
        if (amount < (MEMORY_OVERHEAD.equals(resourceName) ? 0 : 1) || amount > Integer.MAX_VALUE) {
            throw ResourceNames.refused(
                    "resource " + resourceName + " of executors: amount " + amount + " (expected: 1 or more)");
        }
        if (built && !(discoveryScript.isEmpty() && vendor.isEmpty())) {
            throw ResourceNames.refused("resource " + resourceName
                    + " of executors: it has a discovery script or a vendor (expected: none, as it has no addresses)");
        }
    }

    /** Creates a request for a resource without a discovery script and a vendor. */
    public ExecutorResourceRequest(String resourceName, long amount) {
        this(resourceName, amount, "", "");
    }
}
