package dev.hearth.itests.architecture;

import dev.hearth.itests.architecture.SourceComments.Comment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The count of vague words in Javadoc and comments, which refer to a component without naming it, and of all words. */
record Wording(List<String> riddles, List<String> openings, int words) {
    /** Each of these words hides which component acts. */
    private static final Pattern RIDDLE = Pattern.compile(
            "\\b(nobody|somebody|whoever|anybody|anew|told|tells?|behind|hears?|heard|lies?|lay|lain)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern OPENING = Pattern.compile("(What|Who|Whose|Whoever)\\b.*");
    private static final int WORDS_OF_SCALE = 100_000;

    static Wording of(List<Path> sources) {
        List<String> riddles = new ArrayList<>();
        List<String> openings = new ArrayList<>();
        int words = 0;
        for (Path source : sources) {
            for (Comment comment : SourceComments.of(Repository.text(source)).comments()) {
                String place = Repository.name(source) + ":" + comment.line() + ": ";
                words += comment.words();
                RIDDLE.matcher(comment.text()).results().forEach(riddle -> riddles.add(place + riddle.group()));
                if (comment.isJavadoc() && OPENING.matcher(comment.prose()).matches()) {
                    openings.add(place + comment.prose());
                }
            }
        }
        return new Wording(List.copyOf(riddles), List.copyOf(openings), words);
    }

    /** The vague words in 100,000 words. */
    int rate() {
        return (int) ((long) riddles.size() * WORDS_OF_SCALE / Math.max(1, words));
    }
}
