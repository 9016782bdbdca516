package dev.hearth.spi.live;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A service that may be replaced at any moment, without its users noticing. Any thread may call.
 * <p>A call takes the newest provider and keeps it until the call returns: the provider's bundle is not removed before, up
 * to the deployer's bound. A call that finds no provider waits a bounded moment for one.
 */
@ProviderType
public interface Live<T> extends AutoCloseable {
    /** Calls the newest provider; fails with {@code NO_PROVIDER} when none came within the bound. */
    <R, E extends Exception> R call(Call<? super T, R, E> call) throws E;

    /** Whether a call would find a provider now. */
    boolean isThere();

    @Override
    void close();

    /** What to do with a provider. It must not keep the provider beyond its return. */
    @FunctionalInterface
    interface Call<T, R, E extends Exception> {
        R with(T provider) throws E;
    }
}
