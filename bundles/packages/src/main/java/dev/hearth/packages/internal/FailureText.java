package dev.hearth.packages.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.ArtifactTransferException;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.MetadataNotFoundException;
import org.eclipse.aether.transfer.RepositoryOfflineException;

/**
 * Describes why packages could not be resolved: each package, and below it each repository with its answer. Stateless.
 */
final class FailureText {
    private static final int CAUSES_MAX = 16;
    private static final int LINES_MAX = 40;

    private FailureText() {}

    /** The failure of a resolution that asked {@code repositories}. */
    static HearthException of(Throwable failure, List<RemoteRepository> repositories) {
        Map<String, Set<String>> answers = new LinkedHashMap<>();
        Set<Advice> advice = new LinkedHashSet<>();
        collect(failure, repositories, answers, advice);
        List<String> lines = new ArrayList<>();
        answers.forEach((subject, words) -> {
            lines.add("  " + subject);
            words.forEach(word -> lines.add("    " + word));
        });
        if (lines.size() > LINES_MAX) {
            int more = lines.size() - LINES_MAX;
            lines.subList(LINES_MAX, lines.size()).clear();
            lines.add("  and " + more + " more lines");
        }
        String todo = advice.isEmpty()
                ? "check the coordinates, and name further repositories with --repositories"
                : String.join("; ", advice.stream().map(Advice::text).toList());
        return ErrorCode.PACKAGES_UNRESOLVED.failure(
                "packages: " + answers.size() + " cannot be resolved (expected: each in one of the repositories); "
                        + todo + "\n" + String.join("\n", lines),
                failure);
    }

    /** Remedy for an answer. */
    private enum Advice {
        NAME("check the coordinates, and name further repositories with --repositories"),
        ONLINE("allow downloads: unset hearth.jars.offline, and offline in ~/.m2/settings.xml"),
        REACH("check the address, the network, and proxies and mirrors in ~/.m2/settings.xml"),
        ACCESS("add a server with the id of the repository and its password to ~/.m2/settings.xml, or ask for access"),
        DAMAGED("try again, and report it to the owner of the repository if it stays");

        private final String text;

        Advice(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private static void collect(
            Throwable failure,
            List<RemoteRepository> repositories,
            Map<String, Set<String>> answers,
            Set<Advice> advice) {
        Throwable last = failure;
        Throwable at = failure;
        for (int depth = 0; at != null && depth < CAUSES_MAX; depth++) {
            if (at instanceof ArtifactResolutionException unresolved) {
                for (ArtifactResult result : unresolved.getResults()) {
                    if (!result.isResolved()) {
                        Set<String> words = answers.computeIfAbsent(
                                subject(result.getRequest().getArtifact()), none -> new LinkedHashSet<>());
                        addAnswers(result, repositories, words, advice);
                    }
                }
                return;
            }
            last = at;
            at = at.getCause();
        }
        answers.computeIfAbsent(String.valueOf(failure.getMessage()), none -> new LinkedHashSet<>())
                .add(word(last, advice));
    }

    private static String subject(Artifact artifact) {
        return artifact.getExtension().equals("pom")
                ? artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getVersion()
                        + ", its description"
                : PackageGraph.text(artifact);
    }

    private static void addAnswers(
            ArtifactResult result, List<RemoteRepository> repositories, Set<String> words, Set<Advice> advice) {
        Map<String, String> answered = new LinkedHashMap<>(); // in the order in which repositories are searched
        repositories.forEach(repository -> answered.put(subject(repository), "not asked"));
        boolean any = false;
        for (Exception exception : result.getExceptions()) {
            if (exception instanceof ArtifactTransferException transfer && transfer.getRepository() != null) {
                answered.put(subject(transfer.getRepository()), word(exception, advice));
                any = true;
            }
        }
        if (any) {
            answered.forEach((repository, answer) -> words.add(repository + ": " + answer));
        } else {
            result.getExceptions().forEach(exception -> words.add(word(exception, advice)));
        }
    }

    private static String subject(RemoteRepository repository) {
        return repository.getId() + " " + repository.getUrl();
    }

    /** The answer of a repository in words. */
    private static String word(Throwable failure, Set<Advice> advice) {
        Throwable at = failure;
        Throwable last = failure;
        for (int depth = 0; at != null && depth < CAUSES_MAX; depth++) {
            if (at instanceof HttpAnswerException answer && !answer.isMissing()) {
                advice.add(
                        answer.status() == 401 || answer.status() == 403 || answer.status() == 407
                                ? Advice.ACCESS
                                : Advice.REACH);
                return "answered " + answer.getMessage();
            }
            if (at instanceof RepositoryOfflineException) {
                advice.add(Advice.ONLINE);
                return "not asked, because downloads are off";
            }
            if (at instanceof ChecksumFailureException) {
                advice.add(Advice.DAMAGED);
                return "sent a file that differs from its checksum: " + at.getMessage();
            }
            if (at instanceof UnknownHostException) {
                advice.add(Advice.REACH);
                return "unknown host " + at.getMessage();
            }
            if (at instanceof ConnectException || at instanceof SocketTimeoutException) {
                advice.add(Advice.REACH);
                return "unreachable: " + at.getMessage();
            }
            if (at instanceof IOException && !(at instanceof HttpAnswerException) && at.getCause() == null) {
                advice.add(Advice.REACH);
                return "the transfer failed: " + at.getMessage();
            }
            last = at;
            at = at.getCause();
        }
        if (failure instanceof ArtifactNotFoundException || failure instanceof MetadataNotFoundException) {
            advice.add(Advice.NAME);
            return "no such file";
        }
        return String.valueOf(last.getMessage());
    }
}
