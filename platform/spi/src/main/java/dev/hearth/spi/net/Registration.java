package dev.hearth.spi.net;

/**
 * Registration of an endpoint, stream or HTTP handler under a name. Closing it frees the name and stops calls to the
 * registered object.
 */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
