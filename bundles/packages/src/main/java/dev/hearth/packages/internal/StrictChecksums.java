package dev.hearth.packages.internal;

import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicyProvider;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.TransferResource;

/**
 * Policy for checksums of downloads, whatever a repository asks for: a file that differs from its checksum is refused,
 * and a file without a checksum is taken. Stateless.
 */
final class StrictChecksums implements ChecksumPolicyProvider, ChecksumPolicy {
    @Override
    public ChecksumPolicy newChecksumPolicy(
            RepositorySystemSession session, RemoteRepository repository, TransferResource resource, String policy) {
        return this;
    }

    @Override
    public String getEffectiveChecksumPolicy(RepositorySystemSession session, String one, String other) {
        return one;
    }

    @Override
    public boolean onChecksumMatch(String algorithm, ChecksumKind kind) {
        return true;
    }

    @Override
    public void onChecksumMismatch(String algorithm, ChecksumKind kind, ChecksumFailureException exception)
            throws ChecksumFailureException {
        throw exception;
    }

    @Override
    public void onChecksumError(String algorithm, ChecksumKind kind, ChecksumFailureException exception)
            throws ChecksumFailureException {
        throw exception;
    }

    @Override
    public void onNoMoreChecksums() {
        // some repositories, such as directories, have no checksums
    }

    @Override
    public void onTransferRetry() {
        // no state to reset
    }

    @Override
    public boolean onTransferChecksumFailure(ChecksumFailureException exception) {
        return false;
    }
}
