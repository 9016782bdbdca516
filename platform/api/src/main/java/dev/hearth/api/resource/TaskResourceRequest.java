package dev.hearth.api.resource;

/**
 * The amount of one resource that each task of a profile needs: {@code cpus}, or a number of addresses of a resource
 * such as {@code gpu}. With an amount below 1, such as 0.25, several tasks share an address.
 */
public record TaskResourceRequest(String resourceName, double amount) {
    public static final String CPUS = "cpus";
    private static final double AMOUNT_MAX = 1_000_000;
    private static final double AMOUNT_LEAST = 1e-6;

    public TaskResourceRequest {
        boolean cores = CPUS.equals(resourceName);
        if (!cores) {
            ResourceNames.requireCustom(resourceName);
        }
        boolean whole = amount == Math.rint(amount);
        if (!(amount >= (cores ? 1 : AMOUNT_LEAST) && amount <= AMOUNT_MAX) || !(whole || (amount < 1 && !cores))) {
            throw ResourceNames.refused("resource " + resourceName + " of tasks: amount " + amount
                    + (cores
                            ? " (expected: a whole number of cores, 1 or more)"
                            : " (expected: either at most 1.0, or a whole number)"));
        }
    }
}
