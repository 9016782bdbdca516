package dev.hearth.packages.internal;

import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.spi.connector.transport.Transporter;
import org.eclipse.aether.spi.connector.transport.TransporterFactory;
import org.eclipse.aether.transfer.NoTransporterException;

/** Creates transporters for repositories with addresses of HTTP. Stateless. */
final class HttpTransporterFactory implements TransporterFactory {
    static final String NAME = "hearth-http";
    private static final float PRIORITY = 5;

    @Override
    public Transporter newInstance(RepositorySystemSession session, RemoteRepository repository)
            throws NoTransporterException {
        String protocol = repository.getProtocol();
        if (!protocol.equalsIgnoreCase("http") && !protocol.equalsIgnoreCase("https")) {
            throw new NoTransporterException(repository, "scheme '" + protocol + "' (expected: http or https)");
        }
        return new HttpTransporter(session, repository);
    }

    @Override
    public float getPriority() {
        return PRIORITY;
    }
}
