import java.io.File;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import weka.classifiers.trees.Id3;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Version;
import weka.core.converters.CSVLoader;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.NumericToNominal;

/**
 * Learns and classifies with Weka's Id3 in one warm JVM, and prints one JSON object.
 *
 * <p>java -cp weka.jar WekaId3.java DATASET.csv
 *
 * <p>DATASET.csv is the output of `lucena dataset`: a header, integer attributes, the class last.
 * Id3 takes nominal attributes only, so each attribute becomes the set of its observed values.
 */
public class WekaId3 {
  private static final int LEARN_REPETITIONS = 11;
  private static final int CLASSIFY_REPETITIONS = 101;

  private interface Work {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 1) {
      System.err.println("usage: WekaId3 DATASET.csv");
      System.exit(2);
    }
    Instances data = read(arguments[0]);

    double learnSeconds = medianSeconds(LEARN_REPETITIONS, () -> new Id3().buildClassifier(data));
    Id3 tree = new Id3();
    tree.buildClassifier(data);

    Instances shuffled = new Instances(data);
    shuffled.randomize(new Random(0));
    int[] correct = new int[1];
    double classifySeconds =
        medianSeconds(CLASSIFY_REPETITIONS, () -> correct[0] = correct(tree, shuffled));

    // Every node except the root is one line of Weka's printed tree; leaves end in a class, and
    // branches that no row took end in "null".
    int tests = 1;
    int leaves = 0;
    int empty = 0;
    for (String line : tree.toString().split("\n")) {
      if (!line.contains(" = ")) {
        continue;
      } else if (line.endsWith(": null")) {
        empty++;
      } else if (line.contains(": ")) {
        leaves++;
      } else {
        tests++;
      }
    }

    System.out.printf(
        Locale.ROOT,
        "{\"version\": \"%s\", \"java\": \"%s\", \"rows\": %d, \"attributes\": %d, "
            + "\"learn_seconds\": %.9f, \"classify_seconds_per_row\": %.12f, \"tests\": %d, "
            + "\"leaves\": %d, \"empty_branches\": %d, \"training_accuracy\": %s}%n",
        Version.VERSION,
        System.getProperty("java.version"),
        data.numInstances(),
        data.numAttributes() - 1,
        learnSeconds,
        classifySeconds / data.numInstances(),
        tests,
        leaves,
        empty,
        (double) correct[0] / data.numInstances());
  }

  private static Instances read(String path) throws Exception {
    CSVLoader loader = new CSVLoader();
    loader.setSource(new File(path));
    Instances numeric = loader.getDataSet();
    NumericToNominal nominal = new NumericToNominal();
    nominal.setInputFormat(numeric);
    Instances data = Filter.useFilter(numeric, nominal);
    data.setClassIndex(data.numAttributes() - 1);
    return data;
  }

  /** The number of right answers; counting them also keeps the JIT from dropping the work. */
  private static int correct(Id3 tree, Instances data) throws Exception {
    int correct = 0;
    for (int i = 0; i < data.numInstances(); i++) {
      Instance row = data.instance(i);
      if (tree.classifyInstance(row) == row.classValue()) {
        correct++;
      }
    }
    return correct;
  }

  /** The median over `repetitions`, after as many uncounted ones that let the JIT settle. */
  private static double medianSeconds(int repetitions, Work work) throws Exception {
    for (int i = 0; i < repetitions; i++) {
      work.run();
    }
    double[] seconds = new double[repetitions];
    for (int i = 0; i < repetitions; i++) {
      long start = System.nanoTime();
      work.run();
      seconds[i] = (System.nanoTime() - start) / 1e9;
    }
    Arrays.sort(seconds);
    return seconds[repetitions / 2];
  }
}
