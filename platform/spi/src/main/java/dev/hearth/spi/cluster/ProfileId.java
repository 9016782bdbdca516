package dev.hearth.spi.cluster;

/**
 * Resource profile of executors. Only the default profile exists so far; the settings {@code hearth.executor.*} define
 * its cores and memory.
 */
public record ProfileId(int value) {
    public static final ProfileId DEFAULT = new ProfileId(0);
}
