package dev.hearth.spi.error;

/** Text of a number and its noun, for messages: {@code 1 core}, {@code 2 cores}. Stateless. */
public final class Quantity {
    private Quantity() {}

    /** {@code number} with {@code noun}, which is in the singular and forms its plural with an s. */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
