package dev.hearth.packages.internal;

import dev.hearth.spi.packages.PackageRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.maven.model.Repository;
import org.apache.maven.model.building.DefaultModelProcessor;
import org.apache.maven.model.io.DefaultModelReader;
import org.apache.maven.model.superpom.DefaultSuperPomProvider;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.eclipse.aether.util.repository.AuthenticationBuilder;

/**
 * Repositories of a request in the order in which they are searched: the user's local repository, if another directory
 * takes its place; the default repository; those of the request; those of active profiles. Mirrors are applied later.
 * Stateless.
 */
final class Repositories {
    /** Id of the default repository, by which settings name it. */
    static final String CENTRAL = "central";

    private static final String LAYOUT = "default";
    private static final String MODEL = "4.0.0";

    private Repositories() {}

    static List<RemoteRepository> of(PackageRequest request, MavenSettings settings, UserFiles files) {
        Map<String, RepositoryAddress> addresses = new LinkedHashMap<>();
        Path own = settings.repository().orElse(files.repository());
        if (!request.directory().isBlank() && Files.isDirectory(own)) {
            addresses.put("local-m2-cache", RepositoryAddress.parse(own.toUri().toString()));
        }
        addresses.put(
                CENTRAL,
                RepositoryAddress.parse(
                        request.defaultRepository().isBlank() ? central() : request.defaultRepository()));
        int number = 1;
        for (String address : request.repositories()) {
            addresses.put("repo-" + number, RepositoryAddress.parse(address));
            number++;
        }
        settings.repositories().forEach((id, address) -> addresses.put(id, RepositoryAddress.parse(address)));
        List<RemoteRepository> repositories = new ArrayList<>();
        addresses.forEach((id, address) -> repositories.add(repository(id, address)));
        return repositories;
    }

    private static RemoteRepository repository(String id, RepositoryAddress address) {
        RemoteRepository.Builder builder = new RemoteRepository.Builder(id, LAYOUT, address.url());
        builder.setPolicy(new RepositoryPolicy(
                true, RepositoryPolicy.UPDATE_POLICY_DAILY, RepositoryPolicy.CHECKSUM_POLICY_FAIL));
        address.user().ifPresent(user -> {
            String[] parts = user.split(":", 2);
            builder.setAuthentication(new AuthenticationBuilder()
                    .addUsername(parts[0])
                    .addPassword(parts.length > 1 ? parts[1] : "")
                    .build());
        });
        return builder.build();
    }

    /** The address of Maven Central, as Maven itself knows it. */
    private static String central() {
        DefaultSuperPomProvider defaults = new DefaultSuperPomProvider();
        defaults.setModelProcessor(new DefaultModelProcessor().setModelReader(new DefaultModelReader()));
        for (Repository repository : defaults.getSuperModel(MODEL).getRepositories()) {
            if (repository.getId().equals(CENTRAL)) {
                return repository.getUrl();
            }
        }
        throw new IllegalStateException("no repository " + CENTRAL + " in the defaults of Maven");
    }
}
